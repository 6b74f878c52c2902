// SPDX-License-Identifier: Apache-2.0
//
// The rows of the benchmark. README.md says what each row does.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "measuring.hpp"

namespace actord::bench {

/// How a row is to be run.
struct Plan {
  unsigned workers = 0;     // 0: as many as the machine has CPUs
  bool is_check = false;    // only the warm-up, to check the result
  std::int64_t length = 0;  // messages, asks, actors …, to count instructions; 0: the usual

  std::int64_t length_or(std::int64_t usual) const { return length != 0 ? length : usual; }
};

/// Runs `work(is_warm_up)`: first the warm-up, then, unless the plan is a check, the full work. A
/// run with a `length` has no warm-up: two such runs are compared, and both start the same way.
template <class Work>
Figures warmed_up(const Plan& plan, Work&& work) {
  if (plan.length != 0) return work(false);
  Figures figures = work(true);
  return plan.is_check ? figures : work(false);
}

struct Row {
  std::string_view name;
  Figures (*run)(const Plan& plan);
  bool is_extra = false;  // runs only if it is named on the command line
};

/// All rows, in the order of the table.
std::span<const Row> all_rows();

Figures run_pingpong(const Plan& plan);
Figures run_ring(const Plan& plan);
Figures run_many2one(const Plan& plan);
Figures run_forkjoin(const Plan& plan);
Figures run_big(const Plan& plan);
Figures run_tree(const Plan& plan);
Figures run_spawnstop(const Plan& plan);
Figures run_idle_bytes(const Plan& plan);
Figures run_failure1(const Plan& plan);
Figures run_failure1000(const Plan& plan);
Figures run_ask(const Plan& plan);
Figures run_ask_sleeping(const Plan& plan);
Figures run_timers(const Plan& plan);
Figures run_log_lines(const Plan& plan);
Figures run_log_lifecycle(const Plan& plan);
Figures run_boundary(const Plan& plan);
Figures run_router(const Plan& plan);
Figures run_savina(const Plan& plan);
Figures run_isolation(const Plan& plan);
Figures run_isolation_crash(const Plan& plan);
Figures run_isolation_kills(const Plan& plan);
Figures run_isolation_stops(const Plan& plan);
Figures run_idle_daemon(const Plan& plan);
Figures run_boot(const Plan& plan);
Figures run_boot100k(const Plan& plan);
Figures run_wake(const Plan& plan);
Figures run_hocon(const Plan& plan);
Figures run_persist(const Plan& plan);
Figures run_persist_recovery(const Plan& plan);
Figures run_persist_worker(const Plan& plan);

// These rows exist to have their instructions counted. They have no figures.
Figures run_failure_resume(const Plan& plan);
Figures run_failure_restart(const Plan& plan);
Figures run_failure_no_throw(const Plan& plan);
Figures run_timer(const Plan& plan);
Figures run_watch(const Plan& plan);
Figures run_stash(const Plan& plan);
Figures run_crossing(const Plan& plan);

}  // namespace actord::bench
