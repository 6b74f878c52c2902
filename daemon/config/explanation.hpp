// SPDX-License-Identifier: Apache-2.0
//
// Everything about one key: its value, its type, range and default, and where the value comes from.
//
// Not here: printing it (ctl/explain_verb.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/configuration.hpp"
#include "config/known_plugins.hpp"
#include "wire/control_message.hpp"

namespace actord::config {

/// A piece of configuration text and where it was written.
struct Written {
  std::string origin;  // "file:line:column", "built in"
  std::string text;
};

/// What only a running daemon knows about a key.
struct RunningValue {
  std::uint64_t generation = 0;  // the number of the configuration in effect
  // The generation and the time (RFC 3339) from which on the value has been in effect. 0 and empty:
  // not known, because the key is none of actord's own, such as vars.x.
  std::uint64_t since_generation = 0;
  std::string since;
  // the value that a reload has read and that applies after a restart of actord; the text is empty
  // if the key is not set there
  std::optional<Written> pending;
};

struct Explanation {
  std::string key;
  std::optional<std::string> value;  // as it may be shown; nullopt: there is no value
  std::string remark;  // where the value comes from if no file sets it, or why there is none
  std::string type, range, reload;  // "int", "1 to 64", "restart"
  std::string default_value;        // empty: there is none, or it is not known
  std::optional<Written> from;      // where the value was written
  std::vector<Written> via;         // the values it refers to, in the order of following
  std::vector<Written> overrides;   // values that it replaced, the newest first
  // the variable that would set the key; empty: there is none, or it is set
  std::string environment;
  std::vector<std::string> members;   // only of a section: the keys in it
  std::vector<std::string> failures;  // only of a decider: the names that are known
  std::string doc;
  bool is_secret = false;
  std::optional<RunningValue> running;
};

/// Why there is no explanation: actord has no such key.
struct UnknownKey {
  std::string what;
  std::string help;  // a suggestion; may be empty
};

/// `key` is a path as an operator writes it, or "/user/crawler", the path of a configured actor,
/// which stands for the key of its node. The plugins are asked only if the key is a decider, or
/// the config of a behaviour, or lies in one.
base::Result<Explanation, UnknownKey> explain(const Configuration& configuration,
                                              std::string_view key, KnownPlugins& plugins);

/// Members that say nothing are left out.
wire::Json json_of(const Explanation& explanation);
/// The reverse, of a daemon's answer. Members of another kind are ignored.
Explanation explanation_of(const wire::Json& json);

/// The environment variable that sets the key; empty if a variable name cannot express it.
std::string environment_name_of(const std::vector<std::string>& path);

}  // namespace actord::config
