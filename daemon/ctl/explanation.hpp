// SPDX-License-Identifier: Apache-2.0
//
// Everything about one key: its value, its type and range, and where the value comes from.
//
// Not here: printing it (explain_verb.cpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/configuration.hpp"

namespace actord::ctl {

/// A piece of configuration text and where it was written.
struct Written {
  std::string origin;  // "file:line:column", "built in"
  std::string text;
};

struct Explanation {
  std::string key;
  std::optional<std::string> value;  // as it may be shown; nullopt: there is no value
  std::string remark;  // where the value comes from if no file sets it, or why there is none
  std::string type, range, reload;  // "int", "1 to 64", "restart"
  std::optional<Written> from;      // where the value was written
  std::vector<Written> via;         // the values it refers to, in the order of following
  std::vector<Written> overrides;   // values that it replaced, the newest first
  // the variable that would set the key; empty: there is none, or it is set
  std::string environment;
  std::vector<std::string> members;   // only of a section: the keys in it
  std::vector<std::string> failures;  // only of a decider: the names that are known
  std::string doc;
  bool is_secret = false;
};

/// Why there is no explanation: actord has no such key.
struct UnknownKey {
  std::string what;
  std::string help;  // a suggestion; may be empty
};

/// `key` is a path as an operator writes it. Plugins are loaded only if the key is a
/// decider or lies in the config of a behaviour.
base::Result<Explanation, UnknownKey> explain(const config::Configuration& configuration,
                                              std::string_view key);

/// The environment variable that sets the key; empty if a variable name cannot express it.
std::string environment_name_of(const std::vector<std::string>& path);

}  // namespace actord::ctl
