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

/// Throws Error on a host before ABI 1.14.
inline void add_shutdown_task(Context& ctx, std::string_view phase, std::string_view task, Ref who,
                              bool is_end) {
  actord_context& c = ctx.c();
  if (!ACTORD_HAS(actord_host, c.host, add_shutdown_task))
    throw Error("a task of the shutdown needs an actord that offers ABI 1.14");
  HostErrors errors;
  if (c.host->add_shutdown_task(&c, to_c(phase), to_c(task), who.value, is_end ? 1 : 0, &errors) !=
      ACTORD_OK)
    throw ShutdownTaskRefused(errors.text());
}

}  // namespace detail

/// This actor has a task in that phase. When the phase begins, it gets a ShutdownTask, and answers
/// with a ShutdownTaskDone, at once or later, or with reply_failure(). It may add tasks to later
/// phases then, before it answers. A task that is added to a phase that has begun does not run; the
/// log says so.
///
/// Registering the same task again changes nothing, also when it runs or is over, so that it may
/// stand in pre_start; the task outlives restarts. Throws ShutdownTaskRefused, which by default
/// stops the actor, for an unknown phase and an empty name.
inline void on_shutdown(Context& ctx, std::string_view phase, std::string_view task) {
  detail::add_shutdown_task(ctx, phase, task, ctx.self(), false);
}

/// In that phase `who` is told to stop, and the task is done when it has stopped. `who` may be this
/// actor, or one that has stopped already. What else an actor does at its end stands in its
/// post_stop.
inline void stop_on_shutdown(Context& ctx, std::string_view phase, std::string_view task, Ref who) {
  detail::add_shutdown_task(ctx, phase, task, who, true);
}

}  // namespace actord
