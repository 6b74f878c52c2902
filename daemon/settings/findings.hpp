// SPDX-License-Identifier: Apache-2.0
//
// What reading a configuration turns up: errors and warnings, and which keys were asked for.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "hocon/tree.hpp"
#include "settings/schema.hpp"

namespace actord::settings {

/// What becomes of keys that nobody knows.
enum class UnknownKeys : bool { refused, warned_of };

/// Collects everything that is wrong, so that one run of --check tells it all. The tree outlives
/// it. One thread.
class Findings {
 public:
  /// Every key that is asked for goes to `keys` unless it is null: "actord.user.*.behaviour".
  explicit Findings(const hocon::Tree& tree, UnknownKeys unknown = UnknownKeys::refused,
                    std::set<std::string>* keys = nullptr)
      : sources_(tree.sources()), unknown_(unknown), keys_(keys) {}

  void add(hocon::Diagnostic finding);
  /// A key that nobody knows: an error, or a warning where that is allowed.
  void add_unknown(const hocon::Member& member, std::string help);
  /// The texts of the tree, for a caret under what is no value.
  const hocon::SourceFiles& sources() const noexcept { return sources_; }
  void asked(const SettingKey& key) {
    if (keys_ != nullptr) keys_->insert(key.path);
  }

  /// The value of what was read; if there is none its error is kept.
  template <class T>
  std::optional<T> take(base::Result<T, hocon::Diagnostic> read) {
    if (read) return std::move(read).value();
    add(std::move(read).error());
    return std::nullopt;
  }

  bool has_errors() const noexcept { return !errors_.empty(); }
  /// Sorted by file and line.
  hocon::Diagnostics take_errors();
  hocon::Diagnostics take_warnings();

 private:
  const hocon::SourceFiles& sources_;
  UnknownKeys unknown_;
  std::set<std::string>* keys_;
  hocon::Diagnostics errors_, warnings_;
};

/// The findings by file, line and column; what stands at one place keeps its order.
hocon::Diagnostics in_order(hocon::Diagnostics findings);

/// The name that was meant by `word`: the same in another spelling (maxRestarts, MAX_RESTARTS),
/// else the nearest; "" when none is near.
std::string_view meant_name(std::string_view word, const std::vector<std::string_view>& names);

/// "did you mean "x"?", or else which there are: "known here: a, b".
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names,
                         std::string_view introduction = "known here: ");

/// The same for a key that its section does not have: where else there is one of that name, when no
/// other in its section is near.
std::string did_you_mean_key(std::string_view key, const std::vector<std::string_view>& siblings);

/// "a, b, c"
std::string joined(const std::vector<std::string_view>& names);

/// The finding with its caret under the key instead of under the value, where both stand on one
/// line.
hocon::Diagnostic at_key(hocon::Diagnostic finding, std::string_view key);

}  // namespace actord::settings
