// SPDX-License-Identifier: Apache-2.0
//
// What a behaviour's author says of the keys of its config beyond their types: which are needed,
// which are secret, their ranges and words.
#pragma once

#include <actord/plugin.h>

#include <span>
#include <string>
#include <string_view>

namespace actord::settings {

/// A view of a behaviour's table, which outlives it. Threads: any.
class ConfigRules {
 public:
  ConfigRules() = default;
  explicit ConfigRules(const actord_behaviour& behaviour);

  /// Of the member with that path, "chaos.probability", with `*` for any element of a list or map;
  /// null: its type says all.
  const actord_config_key* find(std::string_view path) const noexcept;
  /// All that there are.
  std::span<const actord_config_key* const> all() const noexcept { return {keys_, count_}; }

 private:
  const actord_config_key* const* keys_ = nullptr;
  std::size_t count_ = 0;
};

inline bool has_flag(const actord_config_key* key, std::uint32_t flag) noexcept {
  return key != nullptr && (key->flags & flag) != 0;
}

/// "1 to 64", "at least 1 ms", "at most 3"; empty without bounds.
std::string bounds_text(const actord_config_key& key);

}  // namespace actord::settings
