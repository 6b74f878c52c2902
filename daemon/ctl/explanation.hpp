// SPDX-License-Identifier: Apache-2.0
//
// Everything there is to say about one key: its value, what it takes, and where the value comes
// from.
//
// Not here: how it is printed (explain_verb.cpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/configuration.hpp"
#include "base/result.hpp"

namespace actord::ctl {

/// A place, and what stands there.
struct Written {
  std::string place;  // "file:line:column", "built in"
  std::string text;
};

struct Explanation {
  std::string key;
  std::optional<std::string> value;  // as it may be shown; nothing: it has none
  std::string remark;                // where a value comes from that nobody wrote, or why none is
  std::string type, range, reload;   // "int", "1 to 64", "restart"
  std::optional<Written> from;       // where the value was written
  std::vector<Written> via;          // what it refers to, in the order of following
  std::vector<Written> overrides;    // what it replaced, the newest first
  std::string environment;  // the variable that would set it; empty: none can, or it is set
  std::vector<std::string> members;  // of a section: the keys in it
  std::string doc;
  bool is_secret = false;
};

/// Why there is nothing to say: the key is none of actord's.
struct UnknownKey {
  std::string what;
  std::string help;  // what was probably meant; may be empty
};

/// `key` is a path as an operator writes it. The plugins are looked at when the key lies in the
/// config of a behaviour.
base::Result<Explanation, UnknownKey> explain(const app::Configuration& configuration,
                                              std::string_view key);

/// The variable of the environment that sets a key; empty when its name cannot be written so.
std::string environment_name_of(const std::vector<std::string>& path);

}  // namespace actord::ctl
