// SPDX-License-Identifier: Apache-2.0
//
// What a plugin declares about its behaviours' config keys in addition to their types: needed,
// secret, ranges, words, defaults, and what a value names outside the configuration.
#pragma once

#include <actord/plugin.h>

#include <span>
#include <string>
#include <string_view>

namespace actord::schema {

/// A view of a behaviour's table, which outlives the view. Threads: any.
class ConfigRules {
 public:
  ConfigRules() = default;
  explicit ConfigRules(const actord_behaviour& behaviour);

  /// The rule for the member at `path`, such as "chaos.probability", with `*` for any element of a
  /// list or map; null: only the type restricts the member.
  const actord_config_key* find(std::string_view path) const noexcept;
  /// All rules.
  std::span<const actord_config_key* const> all() const noexcept { return {keys_, count_}; }

 private:
  const actord_config_key* const* keys_ = nullptr;
  std::size_t count_ = 0;
};

inline bool has_flag(const actord_config_key* key, std::uint32_t flag) noexcept {
  return key != nullptr && (key->flags & flag) != 0;
}

/// ACTORD_FOLDER, ACTORD_FILE, …; 0 if the value names nothing, or the plugin is older.
std::uint32_t resource_of(const actord_config_key& key) noexcept;

/// What the value names, for the documentation of the key: "a folder that is read"; empty if it
/// names nothing.
std::string resource_text(const actord_config_key& key);

/// "1 to 64", "at least 1 ms", "at most 3", "1 KiB to 64 KiB" of a size; empty if there are no
/// bounds.
std::string bounds_text(const actord_config_key& key);

/// What the behaviour takes if the key is absent, in HOCON; empty if the plugin does not say.
std::string default_text(const actord_config_key& key);

}  // namespace actord::schema
