// SPDX-License-Identifier: Apache-2.0
//
// Reports handlers that do not return and dispatchers without a free thread, as the events
// actor.stuck, actor.unstuck, dispatcher.starved and dispatcher.recovered.
//
// Looks at all workers four times a second while one of them runs. When none runs, it asks the
// actor system for a call when one does, looks once more, and then has no timer.
//
// Not here: what counts as stuck (system/stuck_watch.hpp).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "log/hub.hpp"
#include "os/event_loop.hpp"
#include "system/stuck_watch.hpp"

namespace actord::system {
class ActorSystem;
}  // namespace actord::system

namespace actord::app {

class StackProbe;

/// Threads: only the event loop's.
class ActorWatch {
 public:
  using RunningTask = system::StuckWatch::RunningTask;

  /// All of them outlive the object. `on_look` is called at each look.
  ActorWatch(os::EventLoop& loop, log::Hub& hub, system::ActorSystem& actors, StackProbe& probe,
             std::function<void()> on_look);

  void start();
  /// SystemListener::on_busy.
  void on_busy();
  /// When the workers have ended: no look follows, and the timers let the event loop end.
  void stop();

  /// The handler that has run for longest, as of the last look, on dispatchers whose actors must
  /// not block. nullopt: none runs.
  std::optional<RunningTask> oldest_on_pools() const { return watch_.oldest_on_pools(); }
  /// How long that task had run at the last look.
  std::int64_t duration_ns(const RunningTask& task) const {
    return watch_.looked_ns() - task.since_ns;
  }
  /// The name of the dispatcher of that worker.
  std::string_view dispatcher_of(const system::WorkerActivity& worker) const;
  /// The path of the actor that the worker runs; empty: it was not asked, or has not answered.
  std::string_view path_of(const system::WorkerActivity& worker) const;

 private:
  void look();
  void look_in(std::chrono::milliseconds delay);
  void end(const RunningTask& task);
  /// Asks the thread of the next stuck task for its stack, unless one is being asked.
  void ask_next();
  void poll_in(std::chrono::milliseconds delay);
  void poll();
  void report_stuck(const RunningTask& task, bool has_answered);
  void report(log::Level level, std::string_view event, std::string_view msg,
              const system::StuckWatch::Shortage& shortage);

  log::Hub& hub_;
  system::ActorSystem& actors_;
  StackProbe& probe_;
  const std::function<void()> on_look_;
  os::Timer look_timer_, poll_timer_;
  system::StuckWatch watch_;
  std::vector<system::DispatcherActivity> dispatchers_;  // of the last look
  unsigned quiet_looks_ = 0;  // looks in a row that found no worker running; 2: no look follows
  bool is_stopped_ = true;

  std::deque<RunningTask> unasked_;   // stuck tasks whose threads were not asked yet
  std::optional<RunningTask> asked_;  // the task whose thread is being asked
  std::int64_t asked_at_ns_ = 0;
  std::map<std::uint64_t, std::string> paths_;  // of the stuck actors that were reported, by worker
};

}  // namespace actord::app
