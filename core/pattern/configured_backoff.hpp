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

#include <string>

#include "pattern/construction.hpp"

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

/// Constructs a ConfiguredBackoff with these options and the configured child of that name.
Construction construction_of(BackoffOptions options, std::string child);

}  // namespace actord::pattern
