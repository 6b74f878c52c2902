// SPDX-License-Identifier: Apache-2.0
//
// Collects errors and warnings while a configuration is read, and records which keys were read.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "hocon/tree.hpp"
#include "schema/schema.hpp"

namespace actord::settings {

/// How unknown keys are reported: as errors or as warnings.
enum class UnknownKeys : bool { errors, warnings };

/// Collects all findings, so that one run of --check reports everything. The tree outlives it. Used
/// by one thread.
class Findings {
 public:
  /// The most errors that are kept, and the most warnings. The last one says that there are more.
  static constexpr std::size_t most = 1000;

  /// `keys`: receives the path of every key that is read, such as "actord.user.*.behaviour"; may be
  /// null.
  explicit Findings(const hocon::Tree& tree, UnknownKeys unknown = UnknownKeys::errors,
                    std::set<std::string>* keys = nullptr)
      : sources_(tree.sources()), unknown_(unknown), keys_(keys) {}

  void add(hocon::Diagnostic finding);
  /// Reports an unknown key as an error or a warning; see UnknownKeys.
  void add_unknown(const hocon::Member& member, std::string help);
  /// The sources of the tree, for findings about positions without a value.
  const hocon::SourceFiles& sources() const noexcept { return sources_; }
  void note_read(const schema::SettingKey& key) {
    if (keys_ != nullptr) keys_->emplace(key.path);
  }

  /// The value of `read`; if it is an error, adds that and returns nullopt.
  template <class T>
  std::optional<T> take(base::Result<T, hocon::Diagnostic> read) {
    if (read) return std::move(read).value();
    add(std::move(read).error());
    return std::nullopt;
  }

  bool has_errors() const noexcept { return !errors_.empty(); }
  /// True if no further error would be kept, so that what is left need not be read.
  bool is_full() const noexcept { return errors_.size() >= most; }
  std::size_t error_count() const noexcept { return errors_.size(); }
  /// Errors sorted by file, line and column.
  hocon::Diagnostics take_errors();
  hocon::Diagnostics take_warnings();

 private:
  hocon::Diagnostics& kept(bool are_warnings) noexcept {
    return are_warnings ? warnings_ : errors_;
  }

  const hocon::SourceFiles& sources_;
  UnknownKeys unknown_;
  std::set<std::string>* keys_;
  hocon::Diagnostics errors_, warnings_;
};

/// The findings sorted by file, line and column. Findings at the same position keep their order.
hocon::Diagnostics in_order(hocon::Diagnostics findings);

/// The name probably meant by `word`: the same in another spelling (maxRestarts, MAX_RESTARTS),
/// else the nearest; "" if none is near.
std::string_view meant_name(std::string_view word, const std::vector<std::string_view>& names);

/// "did you mean "x"?", or else all names: "known here: a, b".
std::string suggestion_for(std::string_view word, const std::vector<std::string_view>& names,
                           std::string_view introduction = "known here: ");

/// The same for an unknown key of a section. If no sibling is near, names the keys of that
/// name in other sections.
std::string suggestion_for_key(std::string_view key, const std::vector<std::string_view>& siblings);

/// The finding with its caret under the key, if that is on the line of the value. The value is not
/// shown: under a wrong key it may be a secret.
hocon::Diagnostic at_key(hocon::Diagnostic finding, std::string_view key);

}  // namespace actord::settings
