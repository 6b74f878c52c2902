// SPDX-License-Identifier: Apache-2.0
//
// The coordinated shutdown as actors: /system/shutdown, which runs the phases and watches those
// that have tasks, and a child of it for each task that runs (supervision.md 180l). /system creates
// it with the first task, so that a system without tasks has no such actor.
//
// Not here: the tasks, and which phase comes next (shutdown_run.hpp), and the stop of the actors
// after the last phase, which is up to the caller of ActorSystem::begin_shutdown().
#pragma once

#include <actord/actord.hpp>

#include <set>

#include "system/shutdown_run.hpp"

namespace actord::system {

/// What a PhaseTaskRunner does.
struct PhaseTaskOrder {
  std::uint64_t number = 0;
  Ref actor;
  bool is_end = false;
  ShutdownTask message;
  std::chrono::nanoseconds timeout{0};
};

/// Runs one task: sends the message and waits for the answer, or stops the actor and waits for its
/// end. Tells its parent how the task has ended.
class PhaseTaskRunner : public Actor {
 public:
  static constexpr std::string_view doc = "Waits for one task of a coordinated shutdown.";
  explicit PhaseTaskRunner(const PhaseTaskOrder& order) : order_(order) {}

  void pre_start(Context& ctx) override;
  void answered(Context& ctx, const Reply<ShutdownTaskDone>& reply);
  void stopped(Context& ctx, const Reply<Terminated>& reply);
  using Receive = Handlers<>;

 private:
  void report(Context& ctx, const Failure* failure) const;

  const PhaseTaskOrder order_;
};

/// /system/shutdown.
class Shutdown : public Actor {
 public:
  static constexpr std::string_view name = "Shutdown";
  static constexpr std::string_view doc = "Runs the phases of a coordinated shutdown.";
  explicit Shutdown(Context& ctx);

  /// Registers the task, if the actor has not done so itself, and watches the actor.
  void add(Context& ctx, const detail::AddShutdownTask& request);
  void run(Context& ctx, const detail::RunShutdown& order);
  void task_ended(Context& ctx, const detail::ShutdownTaskEnded& notice);
  void party_ended(Context& ctx, const detail::ShutdownPartyEnded& notice);
  using Receive =
      Handlers<&Shutdown::add, &Shutdown::run, &Shutdown::task_ended, &Shutdown::party_ended>;

 private:
  void go_on(Context& ctx);
  void start_tasks(Context& ctx, const ShutdownRun::Step& step);
  // Notes the end of a task that runs; goes on if it was the last one.
  void end(Context& ctx, std::uint64_t number, bool is_failure);

  ShutdownRun& run_;
  std::set<actor::Ref> watched_;
};

/// What /system does with a request of the shutdown: passes it on to /system/shutdown, which it
/// creates for the first one.
void pass_to_shutdown(Context& ctx);

}  // namespace actord::system
