// SPDX-License-Identifier: Apache-2.0
//
// What a configuration comes to: every key that has a value, and where it was said.
//
// Not here: what a change of it would do (settings/plan.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hocon/tree.hpp"
#include "settings/schema.hpp"
#include "settings/shown.hpp"

namespace actord::app {

using settings::shown;

struct EffectiveValue {
  std::string key;     // "actord.user.crawler.config.workers"
  std::string text;    // on one line, valid in a configuration; see shown()
  std::string place;   // "file:line:column"; "built in"
  hocon::Value value;  // absent: a default that no file needs to write
  const settings::SettingKey* setting = nullptr;  // null: not actord's, such as vars.x
  bool is_built_in = false;
};

/// In the order in which the configuration says it; the default of a key that nobody has written
/// comes at the end. Lists are values, objects only when they are empty. Values lie in the tree.
std::vector<EffectiveValue> effective_values(const hocon::Tree& tree);

/// The place of what nobody has written.
inline constexpr std::string_view built_in = "built in";

/// "file:line:column" of where it was written; what it came by where that is no file, such as
/// "--set"; or built_in.
std::string place_of(const hocon::Tree& tree, const hocon::Origin& origin);

}  // namespace actord::app
