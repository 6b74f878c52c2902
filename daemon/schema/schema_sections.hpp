// SPDX-License-Identifier: Apache-2.0
//
// The sections of the schema, each in a file of its own (schema_<section>.cpp). schema.cpp joins
// them.
#pragma once

#include <array>

#include "schema/known_words.hpp"
#include "schema/schema.hpp"

namespace actord::schema {

using SettingKeys = std::span<const SettingKey>;

/// The largest capacity of a bounded mailbox or stash, in messages.
inline constexpr std::int64_t capacity_max = 1'000'000'000;

/// A number of things that an actor, or all actors of a plugin, may have; else unlimited.
constexpr SettingKey capacity(std::string_view path, Reload reload, std::string_view doc) {
  return {.path = path,
          .type = Type::integer,
          .words = names<capacity_words>,
          .min = 1,
          .max = capacity_max,
          .example = "unlimited",
          .reload = reload,
          .doc = doc};
}

/// The members of `mailbox` besides its capacity, in a node and in a deployment pattern.
constexpr SettingKey mailbox_overflow(std::string_view path, Reload reload, std::string_view doc) {
  return {.path = path,
          .type = Type::word,
          .words = names<overflow_words>,
          .example = "drop-new",
          .reload = reload,
          .doc = doc};
}
constexpr SettingKey mailbox_push_timeout(std::string_view path, Reload reload,
                                          std::string_view doc) {
  return {.path = path,
          .type = Type::duration,
          .min = 1'000'000,
          .max = 86'400'000'000'000,
          .example = "10 s",
          .reload = reload,
          .doc = doc};
}
constexpr SettingKey mailbox_priority(std::string_view path, Reload reload, std::string_view doc) {
  return {.path = path,
          .type = Type::list,
          .min = 1,
          .max = actor::MessageRanks::priority_max,
          .range = "a list of 1 to 62 names of messages; \"*\" stands for all others",
          .example = "[\"plugin.Message/1\", \"*\"]",
          .reload = reload,
          .doc = doc};
}
constexpr SettingKey mailbox_control(std::string_view path, Reload reload, std::string_view doc) {
  return {.path = path,
          .type = Type::list,
          .range = "a list of names of messages",
          .example = "[\"plugin.Message/1\"]",
          .reload = reload,
          .doc = doc};
}

/// In a node and in a deployment pattern.
constexpr SettingKey ask_fails_with_handler(std::string_view path, std::string_view doc) {
  return {
      .path = path, .type = Type::boolean, .example = "off", .reload = Reload::live, .doc = doc};
}

/// The members of `on-failure`, in a node and in a deployment pattern.
constexpr SettingKey failed_message(std::string_view path, std::string_view doc) {
  return {.path = path,
          .type = Type::word,
          .words = names<failed_message_words>,
          .example = "redeliver",
          .reload = Reload::live,
          .doc = doc};
}
constexpr SettingKey failed_message_attempts(std::string_view path) {
  return {.path = path,
          .type = Type::integer,
          .min = 1,
          .max = attempts_most,
          .example = "3",
          .reload = Reload::live,
          .doc =
              "With message = redeliver: how often the actor may fail on the same message. If "
              "not set: 3."};
}

/// A named group of isolated actors.
inline constexpr std::string_view shared_group_form = "^shared:[A-Za-z0-9][A-Za-z0-9_-]*$";
/// Which isolated actors share a host process.
constexpr SettingKey worker_group(std::string_view path, Reload reload, std::string_view doc) {
  return {.path = path,
          .type = Type::text,
          .words = names<worker_group_words>,
          .form = shared_group_form,
          .range = "per-plugin | per-actor | \"shared:NAME\"",
          .example = "\"shared:NAME\"",
          .reload = reload,
          .doc = doc};
}

/// The words of several keys.
inline constexpr std::array<std::string_view, 2> built_in_strategies = {"default", "stopping"};
inline constexpr std::array<std::string_view, 1> infinite = {"infinite"};
inline constexpr std::array<std::string_view, 1> off = {"off"};

/// The form "plugin/Name".
inline constexpr std::string_view plugin_part_form = "^[^/]+/[^/]+$";
/// The class names of strategies in Akka, Pekko and Akka.NET.
inline constexpr std::string_view strategy_class_form =
    "^((org\\.apache\\.pekko|akka)\\.actor\\.(Default|Stopping)SupervisorStrategy|"
    "Akka\\.Actor\\.(Default|Stopping)SupervisorStrategy(, Akka)?)$";
/// Those class names, or "plugin/Configurator".
inline constexpr std::string_view guardian_strategy_form =
    "^([^/]+/[^/]+|(org\\.apache\\.pekko|akka)\\.actor\\.(Default|Stopping)SupervisorStrategy|"
    "Akka\\.Actor\\.(Default|Stopping)SupervisorStrategy(, Akka)?)$";

/// name, state-dir, plugins, admin, boot, log, dead-letters.
SettingKeys daemon_keys();
/// actor without deployment: the guardian's strategy, dispatchers, default mailbox, message memory,
/// debug switches.
SettingKeys actor_keys();
/// coordinated-shutdown: phases, and exit statuses by reason.
SettingKeys shutdown_keys();
/// circuit-breaker: the breakers that actors share.
SettingKeys breaker_keys();
/// persistence: the journal of persistent actors.
SettingKeys persistence_keys();
/// worker: host processes.
SettingKeys worker_keys();
/// actor.deployment.
SettingKeys deployment_keys();
/// user, without the strategy and the back-off supervisor of an actor.
SettingKeys user_keys();
/// The members of user.*.supervisor-strategy.
SettingKeys strategy_keys();
/// user.*.backoff-supervisor and its members.
SettingKeys backoff_supervisor_keys();
/// user.*.router and its members.
SettingKeys router_keys();

}  // namespace actord::schema
