// SPDX-License-Identifier: Apache-2.0
//
// Finds workers that run one task for long, and dispatchers whose tasks wait because no thread is
// free. It compares looks at all workers, which its user takes a few times a second while actors
// run. A running actor does nothing for it.
//
// It is pure: the time and the looks are passed in. Not here: how a look is taken
// (ActorSystem::look()), the timer, the stack of the thread and the log (daemon/app).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sched/executor.hpp"

namespace actord::system {

/// How long a task may run before it is reported, by dispatcher. 0: it is never reported.
struct StuckTimeouts {
  std::int64_t default_ns = 1'000'000'000;
  std::int64_t blocking_io_ns = 30'000'000'000;
  std::int64_t pinned_ns = 30'000'000'000;
};

/// What one worker is doing.
struct WorkerActivity {
  std::uint64_t worker = 0;  // its number in the system, from 1 on; none comes twice
  std::uint16_t dispatcher = 0;
  int thread_id = 0;           // the kernel's
  bool is_busy = false;        // runs a task
  std::uint64_t progress = 0;  // grows when a task or a message has ended
};

struct DispatcherActivity {
  std::string_view name;  // lies in the system
  sched::DispatcherSettings::Kind kind = sched::DispatcherSettings::Kind::pool;
  std::int64_t stuck_timeout_ns = 0;  // 0: off
  std::size_t waiting = 0;            // Dispatcher::waiting_for_thread()
};

struct Activity {
  std::vector<WorkerActivity> workers;
  std::vector<DispatcherActivity> dispatchers;  // by id; there is none with the id 0
};

/// Not thread-safe.
class StuckWatch {
 public:
  /// A task that its worker has run at least since `since_ns`.
  struct RunningTask {
    WorkerActivity of;
    std::int64_t since_ns = 0;
  };
  /// A dispatcher whose threads have all run the same tasks at least since `since_ns`, while others
  /// wait.
  struct Shortage {
    std::uint16_t dispatcher = 0;
    std::size_t threads = 0, waiting = 0;
    std::int64_t since_ns = 0;
  };
  struct Changes {
    std::vector<RunningTask> stuck, unstuck;   // have run for the timeout; have ended since then
    std::vector<Shortage> starved, recovered;  // the same for dispatchers
    bool is_quiet = false;  // no task runs, and none has run since the look before
  };

  /// Time between two looks is no task's if it is longer than this: then the process did not run,
  /// because it or its machine was stopped.
  static constexpr std::int64_t pause_min_ns = 2'000'000'000;

  /// The time is that of the look and never goes back.
  Changes look(const Activity& activity, std::int64_t now_ns);

  /// The time of the last look.
  std::int64_t looked_ns() const noexcept { return looked_ns_; }
  /// The task on a pool that has been seen running for longest, as of then. nullopt: none runs.
  std::optional<RunningTask> oldest_on_pools() const;

 private:
  struct Seen {
    RunningTask task;
    bool is_on_pool = false;
    bool is_reported = false;
  };
  struct Starvation {
    Shortage shortage;
    bool is_reported = false;
  };
  const Seen* find(std::uint64_t worker) const;
  void look_for_shortages(const Activity& activity, std::int64_t now_ns, Changes& changes);

  void discount_pause(std::int64_t now_ns);

  std::vector<Seen> seen_;               // by number of the worker; those of the last look
  std::vector<Starvation> starvations_;  // dispatchers in which tasks waited at the last look
  std::int64_t looked_ns_ = 0;           // the time of the last look
};

}  // namespace actord::system
