// SPDX-License-Identifier: Apache-2.0
//
// The rows of the bench on CAF. ../../README.md says what each row does.
#pragma once

#include <caf/all.hpp>

#include <cstdint>
#include <future>

#include "measuring.hpp"

namespace caf_bench {

using actord::bench::check;
using actord::bench::Figures;
using actord::bench::Latencies;
using actord::bench::Stopwatch;
using actord::bench::ticks;

using Number = std::int64_t;
using start_atom = caf::atom_constant<caf::atom("start")>;
using pong_atom = caf::atom_constant<caf::atom("pong")>;

/// The signal of an actor to the row that waits for it: once, with a number to check.
class Finish {
 public:
  void signal(Number value = 0) { promise_.set_value(value); }
  Number wait() { return promise_.get_future().get(); }

 private:
  std::promise<Number> promise_;
};

Figures run_pingpong(caf::actor_system& system, bool is_warm_up);
Figures run_ring(caf::actor_system& system, bool is_warm_up);
Figures run_many2one(caf::actor_system& system, bool is_warm_up);
Figures run_forkjoin(caf::actor_system& system, bool is_warm_up);
Figures run_big(caf::actor_system& system, bool is_warm_up);
Figures run_tree(caf::actor_system& system, bool is_warm_up);
Figures run_spawnstop(caf::actor_system& system, bool is_warm_up);
Figures run_idle_bytes(caf::actor_system& system, bool is_warm_up);
Figures run_failure1(caf::actor_system& system, bool is_warm_up);
Figures run_failure1000(caf::actor_system& system, bool is_warm_up);
Figures run_ask(caf::actor_system& system, bool is_warm_up);
Figures run_ask_sleeping(caf::actor_system& system, bool is_warm_up);
Figures run_timers(caf::actor_system& system, bool is_warm_up);

}  // namespace caf_bench
