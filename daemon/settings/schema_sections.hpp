// SPDX-License-Identifier: Apache-2.0
//
// The sections of the schema, a file for each (schema_<section>.cpp), for schema.cpp to put
// together.
#pragma once

#include "settings/schema.hpp"

namespace actord::settings {

using SettingKeys = std::vector<SettingKey>;

/// The most messages that a bounded mailbox or stash can be told to hold.
inline constexpr std::int64_t capacity_most = 1'000'000'000;

/// "plugin/Name".
inline constexpr std::string_view plugin_part_form = "^[^/]+/[^/]+$";
/// The names that strategies have in Akka, Pekko and Akka.NET.
inline constexpr std::string_view strategy_class_form =
    "^((org\\.apache\\.pekko|akka)\\.actor\\.(Default|Stopping)SupervisorStrategy|"
    "Akka\\.Actor\\.(Default|Stopping)SupervisorStrategy(, Akka)?)$";
/// Those, or "plugin/Configurator".
inline constexpr std::string_view guardian_strategy_form =
    "^([^/]+/[^/]+|(org\\.apache\\.pekko|akka)\\.actor\\.(Default|Stopping)SupervisorStrategy|"
    "Akka\\.Actor\\.(Default|Stopping)SupervisorStrategy(, Akka)?)$";

/// name, state-dir, plugins, boot, log, dead-letters.
SettingKeys daemon_keys();
/// actor without deployment: the guardian's strategy, dispatchers, mailboxes, switches.
SettingKeys actor_keys();
/// actor.deployment.
SettingKeys deployment_keys();
/// user without the strategies and the back-off supervisor of an actor.
SettingKeys user_keys();
/// The members of user.*.supervisor-strategy.
SettingKeys strategy_keys();
/// user.*.backoff-supervisor and its members.
SettingKeys backoff_supervisor_keys();

}  // namespace actord::settings
