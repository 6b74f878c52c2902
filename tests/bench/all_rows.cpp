// SPDX-License-Identifier: Apache-2.0
#include "rows.hpp"

namespace actord::bench {

std::span<const Row> all_rows() {
  static constexpr Row rows[] = {
      {"pingpong", &run_pingpong},
      {"ring", &run_ring},
      {"many2one", &run_many2one},
      {"forkjoin", &run_forkjoin},
      {"big", &run_big},
      {"tree1m", &run_tree},
      {"spawnstop", &run_spawnstop},
      {"idle_bytes", &run_idle_bytes},
      {"failure1", &run_failure1},
      {"failure1000", &run_failure1000},
      {"ask", &run_ask},
      {"ask_sleeping", &run_ask_sleeping},
      {"timers", &run_timers},
      {"log_lines", &run_log_lines},
      {"boundary_ratio", &run_boundary},
      {"idle_daemon", &run_idle_daemon},
      {"boot_ms", &run_boot},
      {"boot100k_s", &run_boot100k},
      {"router", &run_router},
      {"savina", &run_savina, true},
      {"isolation", &run_isolation, true},
      {"isolation_crash", &run_isolation_crash, true},
      {"isolation_kills", &run_isolation_kills, true},
      {"isolation_stops", &run_isolation_stops, true},
      {"log_lifecycle", &run_log_lifecycle, true},
      {"wake", &run_wake, true},
      {"hocon", &run_hocon, true},
      {"persist", &run_persist, true},
      {"persist_recovery", &run_persist_recovery, true},
      {"persist_worker", &run_persist_worker, true},
      {"failure_resume", &run_failure_resume, true},
      {"failure_restart", &run_failure_restart, true},
      {"failure_no_throw", &run_failure_no_throw, true},
      {"timer", &run_timer, true},
      {"watch", &run_watch, true},
      {"stash", &run_stash, true},
      {"crossing", &run_crossing, true},
  };
  return rows;
}

}  // namespace actord::bench
