// SPDX-License-Identifier: Apache-2.0
//
// "actord/BackoffSupervisor": a back-off supervisor in front of a configured actor. Like all code
// in this room it uses only the plugin interface.
//
// Not here: the behaviour of a back-off supervisor (actord/backoff_supervisor.hpp), and its keys in
// the configuration (daemon/settings).
#pragma once

#include <actord/actord.hpp>
#include <actord/backoff_supervisor.hpp>

#include <memory>
#include <string>

namespace actord::pattern {

/// A back-off supervisor whose child is the configured child `child` of its node.
class ConfiguredBackoff final : public BackoffActor {
 public:
  static constexpr std::string_view name = "BackoffSupervisor";
  static constexpr std::string_view doc = "Starts its configured child again after growing delays.";
  static constexpr bool starts_own_children = true;

  ConfiguredBackoff(const BackoffOptions& options, std::string child)
      : BackoffActor(options), child_(std::move(child)) {}

 protected:
  Ref spawn_child(Context& ctx) override { return ctx.spawn_configured(child_); }

 private:
  const std::string child_;
};

/// How an actor is constructed from arguments instead of from its config.
struct Construction {
  actord_status (*create)(void* self, actord_context*, actord_value config, const void* args,
                          actord_errors*);
  std::shared_ptr<const void> args;
};

/// Constructs a ConfiguredBackoff with these options and the configured child of that name.
Construction construction_of(BackoffOptions options, std::string child);

/// The behaviours of this room. Add them to a system before any plugin.
const actord_plugin& plugin();

}  // namespace actord::pattern
