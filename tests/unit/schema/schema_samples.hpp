// SPDX-License-Identifier: Apache-2.0
//
// Configurations made from the schema itself: each key, with the keys that must stand beside it.
#pragma once

#include <string>

#include "schema/schema.hpp"

namespace actord::schema {

// The path, with example names for the operator's.
inline std::string concrete(const SettingKey& key) {
  std::string path{key.path};
  const auto replace = [&](std::string_view from, std::string_view to) {
    if (const auto at = path.find(from); at != path.npos) path.replace(at, from.size(), to);
  };
  replace("deployment.*", "deployment.\"/user/a\"");
  replace("sinks.*", "sinks.some");
  replace("circuit-breaker.*", "circuit-breaker.some");
  replace("phases.*", "phases.some");
  replace("reason-overrides.*", "reason-overrides.SIGTERM");
  replace("limits.*", "limits.some");
  replace("isolation.*", "isolation.some");
  replace("roles.*", "roles.root");
  replace("user.*", "user.a");
  replace("decider.*", "decider.\"some::Type\"");
  return path;
}

// The keys that must stand beside a key of a log sink, whose type decides which keys it has.
inline std::string text_beside_sink_key(std::string_view name) {
  const std::string sink = "actord.log.sinks.some.";
  if (name == "facility" || name == "socket") return sink + "type = syslog\n";
  return name == "type" ? "" : sink + "path = \"/srv/log\"\n";
}

// The keys that must stand beside a key of a router, whose type and logic decide which keys it has.
inline std::string text_beside_router_key(std::string_view name) {
  const std::string router = "actord.user.a.router.";
  if (name == "paths") return router + "type = group\n" + router + "paths = [\"/user/b\"]\n";
  const std::string pool = "actord.user.a.behaviour = \"some/Behaviour\"\n";
  if (name == "credits") return pool + router + "logic = balancing\n";
  if (name == "within" || name == "interval") return pool + router + "logic = tail-chopping\n";
  if (name == "points")
    return pool + router + "logic = consistent-hashing\n" + router + "hash-field = id\n";
  if (name == "hash-field")
    return pool + router + "logic = consistent-hashing\n" + router + "hash-field = other\n";
  return name == "logic" ? pool + router + "size = 1\n" : pool + router + "logic = random\n";
}

// The keys that must stand beside the key.
inline std::string text_beside(const SettingKey& key) {
  if (key.path.starts_with("actord.user.*.router.resizer.upper"))
    return text_beside_router_key("upper") + "actord.user.a.router.resizer.lower = 1\n";
  if (key.path == "actord.user.*.router.resizer.lower")
    return text_beside_router_key("lower") + "actord.user.a.router.resizer.upper = 10000\n";
  if (key.path.starts_with("actord.user.*.router."))
    return text_beside_router_key(key.path.find("resizer") == key.path.npos ? key.own_name()
                                                                            : "resizer");
  std::string text = key.own_name() == "behaviour"
                         ? "actord.user.a.children {}\n"
                         : "actord.user.a.behaviour = \"some/Behaviour\"\n";
  if (key.own_name() == "with")
    text += "actord.user.a.backoff-supervisor.while-down.reply = \"some.Message/1\"\n";
  for (const SettingKey& other : keys()) {
    const std::string_view section = other.path.substr(0, other.path.rfind('.') + 1);
    if (!other.is_needed || other.path == key.path || !key.path.starts_with(section)) continue;
    const std::string smallest = other.type == Type::duration ? "1 ns" : std::string{other.example};
    text += concrete(other) + " = " + (other.own_name() == "max" ? "30 d" : smallest) + '\n';
  }
  if (key.path.starts_with("actord.log.sinks.*.")) text += text_beside_sink_key(key.own_name());
  if (key.own_name() == "max-reset-timeout")
    text += "actord.circuit-breaker.some.reset-timeout = 1 ns\n";
  if (key.own_name() == "within") text += "actord.user.a.supervisor-strategy.max-restarts = 3\n";
  return text;
}

// A configuration that gives the key this value.
inline std::string text_with(const SettingKey& key, const std::string& value) {
  std::string text = text_beside(key) + concrete(key) + " = " + value + '\n';
  if (key.path == "actord.log.sinks.*.type" && value == "file") text += text_beside_sink_key(value);
  if (key.path == "actord.user.*.router.type" && value == "group")
    text = "actord.user.a.router { type = group, paths = [/user/b] }\n";
  if (key.path == "actord.user.*.router.logic" && value == "consistent-hashing")
    text += "actord.user.a.router.hash-field = id\n";
  return text;
}

// The number as a configuration writes it.
inline std::string as_written(const SettingKey& key, std::int64_t number) {
  return std::to_string(number) + (key.type == Type::duration ? " ns" : "");
}

}  // namespace actord::schema
