// SPDX-License-Identifier: Apache-2.0
//
// The effective configuration: every key that has a value, and the origin of the value: where it
// was written.
//
// Not here: what a change of a value does (settings/plan.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hocon/tree.hpp"
#include "schema/schema.hpp"
#include "settings/shown.hpp"

namespace actord::config {

using settings::shown;

struct EffectiveValue {
  std::string key;     // "actord.user.crawler.config.workers"
  std::string text;    // on one line, in the syntax of the configuration; see shown()
  std::string origin;  // "file:line:column", or "built in"
  hocon::Value value;  // absent: a default that is in no file
  // null: the key is not one of actord's own, such as vars.x
  const schema::SettingKey* setting = nullptr;
  bool is_built_in = false;
};

/// All effective values in the order of the configuration. Defaults of keys that no file sets come
/// last. A list is one value. An object is a value only if it is empty. The values refer to `tree`.
std::vector<EffectiveValue> effective_values(const hocon::Tree& tree);

/// The origin of a value that no file sets.
inline constexpr std::string_view built_in = "built in";

/// "file:line:column" of `origin`; the name of the layer if that is not a file, such as "--set"; or
/// built_in.
std::string origin_text(const hocon::Tree& tree, const hocon::Origin& origin);

}  // namespace actord::config
