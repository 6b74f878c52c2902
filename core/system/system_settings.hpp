// SPDX-License-Identifier: Apache-2.0
//
// What an ActorSystem is made with, and what of it can be changed while it runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actor/cell_pool.hpp"
#include "actor/counted_actors.hpp"
#include "actor/live_switches.hpp"
#include "actor/plugin_usage.hpp"
#include "actor/supervision.hpp"
#include "sched/executor.hpp"
#include "system/breakers.hpp"
#include "system/event_journal.hpp"
#include "system/message_limits.hpp"
#include "system/shutdown_plan.hpp"
#include "system/stuck_watch.hpp"

namespace actord::system {

/// Settings that can be changed while the system runs, beside the snapshot.
struct LiveSettings {
  DeadLetterLimit dead_letters;
  // Messages per actor, if neither path nor code sets it; 0: unlimited.
  std::int64_t stash_capacity = 0;
  // Whether asks fail with the handler that fails, if no path sets it (supervision.md 188).
  bool asks_fail = true;
  actor::DebugSwitches debug;
  std::int64_t failure_burst = -1;  // see FailureLogLimit::set_burst()
  actor::StormGuard storm_guard;
  std::size_t message_memory_max = SIZE_MAX;  // bytes; at this size, try_tell() refuses messages
  StuckTimeouts stuck_timeouts = {};
  actor::LimitsByPlugin plugin_limits = {};
  actor::CountedActors counted_actors = actor::CountedActors::none;
  actor::TracingSettings tracing = {};
  BreakersByName circuit_breakers = {};
  LiveJournalSettings journal = {};
  QuarantineLimit quarantine = {};
};

struct SystemSettings {
  std::string name = "actord";
  std::string state_directory;  // exists; no trailing slash
  std::uint64_t boot_id = 1;    // identifies this run; failure ids begin with it
  actor::CellPool::Options cells;
  // Bytes of address space per size of envelope.
  std::size_t envelope_reserve = std::size_t{1} << 36;
  sched::Slice slice;
  unsigned workers = 0;  // of the default dispatcher; 0: one per CPU
  unsigned blocking_threads_max = 64;
  std::int64_t blocking_keep_alive_ns = 10'000'000'000;  // until an idle thread of blocking-io ends
  std::vector<sched::DispatcherSettings> dispatchers;    // further ones, by name
  LiveSettings live;                                     // initial values
  ShutdownPlan shutdown;                                 // of begin_shutdown()
  JournalSettings journal;                               // for persistent actors
  bool boots_degraded = false;  // the boot goes on when a configured actor cannot be created
  bool shares_emitter = false;  // simulation only: all workers log through one emitter, in order
};

}  // namespace actord::system
