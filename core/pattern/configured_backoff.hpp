// SPDX-License-Identifier: Apache-2.0
//
// "actord/BackoffSupervisor": the classic back-off supervisor in front of a configured actor. Like
// all of this room it uses nothing of the runtime but what a plugin may use.
//
// Not here: what a back-off supervisor does (actord/backoff_supervisor.hpp), and how an operator
// writes one down (daemon/settings).
#pragma once

#include <actord/actord.hpp>
#include <actord/backoff_supervisor.hpp>

#include <memory>
#include <string>

namespace actord::pattern {

/// Its child is the configured one of its node.
class ConfiguredBackoff final : public BackoffActor {
 public:
  static constexpr std::string_view name = "BackoffSupervisor";
  static constexpr std::string_view doc = "Starts its configured child anew after growing delays.";
  static constexpr bool starts_own_children = true;

  ConfiguredBackoff(const BackoffOptions& options, std::string child)
      : BackoffActor(options), child_(std::move(child)) {}

 protected:
  Ref spawn_child(Context& ctx) override { return ctx.spawn_configured(child_); }

 private:
  const std::string child_;
};

/// What constructs an actor in place of its config.
struct Making {
  actord_status (*create)(void* self, actord_context*, actord_value config, const void* args,
                          actord_errors*);
  std::shared_ptr<const void> args;
};

/// A ConfiguredBackoff of these options, for the configured child of that name.
Making making_of(BackoffOptions options, std::string child);

/// The behaviours of this room, to be added to a system before plugins are.
const actord_plugin& plugin();

}  // namespace actord::pattern
