// SPDX-License-Identifier: Apache-2.0
//
// Decides which values of a configuration are secret. The lines of messages show no values at all
// (masked_line.hpp).
//
// A secret is written in place, or it is kept elsewhere (kept_secrets.hpp). Every text that a
// secret goes into is secret, too (taint.hpp).
//
// Not here: the list of the secret keys, which the caller sets.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace actord::hocon {

/// Shown in place of a secret.
inline constexpr std::string_view secret_word = "(secret)";

/// The paths of secret values; everything inside such a value is secret, too.
class SecretPlaces {
 public:
  using Path = std::span<const std::string_view>;

  /// `pattern`: names with dots between them, `*` for any one name: "vars.secret.*".
  void add(std::string_view pattern);

  bool empty() const noexcept { return patterns_.empty(); }
  /// Whether the value at that path is secret.
  bool is_secret(Path path) const;
  /// Whether every member of the object at that path is secret. If it is no object, the value
  /// itself is then secret.
  bool are_members_secret(Path path) const;
  /// Whether the value is secret or may contain a secret.
  bool may_contain_secret(Path path) const;

 private:
  std::vector<std::vector<std::string>> patterns_;
};

}  // namespace actord::hocon
