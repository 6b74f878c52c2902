// SPDX-License-Identifier: Apache-2.0
//
// Tasks that an actor does when the system shuts down, while all actors still run (supervision.md
// 180l). Included by those who use it.
//
//   void pre_start(actord::Context& ctx) override {
//     actord::on_shutdown(ctx, actord::phases::service_unbind, "close the port");
//   }
//   actord::ShutdownTaskDone close(const actord::ShutdownTask&) { … return {}; }
//
// Each phase runs when the one before it is over; its tasks run at the same time. The operator may
// add phases, change their order and timeouts, and disable them: actord.coordinated-shutdown.
#pragma once

#include <actord/actor.hpp>

namespace actord {

/// The standard phases, in their order.
namespace phases {

/// Before anything is closed, such as to leave a load balancer.
inline constexpr std::string_view before_service_unbind = "before-service-unbind";
/// No new requests are accepted from here on.
inline constexpr std::string_view service_unbind = "service-unbind";
/// The requests that were accepted are answered.
inline constexpr std::string_view service_requests_done = "service-requests-done";
/// Connections and sources of work end.
inline constexpr std::string_view service_stop = "service-stop";
/// The last things to be written.
inline constexpr std::string_view before_actor_system_terminate = "before-actor-system-terminate";
/// After its tasks the actors are stopped.
inline constexpr std::string_view actor_system_terminate = "actor-system-terminate";

}  // namespace phases

namespace detail {

/// A refusal is a failure of the actor. Without an answer the system is shutting down already, or
/// is older than its plugins; then the task does not run.
inline actord_status on_shutdown_task_added(void* /*self*/, actord_context* /*context*/,
                                            const void* /*added*/, const actord_failure* failure,
                                            actord_errors* errors) {
  if (failure == nullptr || !Failure{*failure}.is<ShutdownTaskRefused>()) return ACTORD_OK;
  errors->report(errors, failure);
  return ACTORD_FAILED;
}

inline void add_shutdown_task(Context& ctx, AddShutdownTask task) {
  constexpr std::chrono::seconds patience{30};
  actord_context& c = ctx.c();
  c.host->ask(&c, ctx.find("/system").value, listed_type_id<AddShutdownTask>(), &task,
              std::chrono::nanoseconds{patience}.count(), &on_shutdown_task_added);
}

}  // namespace detail

/// This actor has a task in that phase. When the phase begins, it gets a ShutdownTask, and answers
/// with a ShutdownTaskDone, at once or later, or with reply_failure(). It may add tasks to later
/// phases then. A task that is added to a phase that has begun does not run; the log says so.
///
/// Registering the same task again changes nothing, so that it may stand in pre_start; the task
/// outlives restarts. An unknown phase or an empty name fails this actor with ShutdownTaskRefused,
/// and by default stops it.
inline void on_shutdown(Context& ctx, std::string_view phase, std::string_view task) {
  detail::add_shutdown_task(ctx, {std::string{phase}, std::string{task}, ctx.self(), false});
}

/// In that phase `who` is told to stop, and the task is done when it has stopped. `who` may be this
/// actor, or one that has stopped already. What else an actor does at its end stands in its
/// post_stop.
inline void stop_on_shutdown(Context& ctx, std::string_view phase, std::string_view task, Ref who) {
  detail::add_shutdown_task(ctx, {std::string{phase}, std::string{task}, who, true});
}

}  // namespace actord
