// SPDX-License-Identifier: Apache-2.0
//
// Which values of a configuration are secret, and the lines that must not be shown for it.
//
// A secret is written where it is needed, or it is kept elsewhere (kept_secrets.hpp). Whatever it
// goes into is secret as well (taint.hpp).
//
// Not here: which keys those are (whoever sets the places).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hocon/diagnostic.hpp"
#include "hocon/node.hpp"

namespace actord::hocon {

/// What stands where a secret would be shown.
inline constexpr std::string_view secret_word = "(secret)";

/// Keys whose values are secret, with all that lies in them.
class SecretPlaces {
 public:
  using Path = std::span<const std::string_view>;

  /// Names with dots between them, `*` for any one name: "vars.secret.*".
  void add(std::string_view pattern);

  bool empty() const noexcept { return patterns_.empty(); }
  /// Whether the value of that path is secret.
  bool holds(Path path) const;
  /// Whether whatever is in the object of that path is secret; and so is what stands there instead
  /// of an object.
  bool holds_members_of(Path path) const;
  /// Whether the value is secret, or something in it may be.
  bool touches(Path path) const;

 private:
  std::vector<std::vector<std::string>> patterns_;
};

/// Hides the lines of `files` in which secrets are written below `object`, which lies at `path`.
void hide_secret_lines(const ObjectLiteral& object, SecretPlaces::Path path,
                       const SecretPlaces& places, SourceFiles& files);

/// A syntax error that says no more than its place.
Diagnostic mistake_in_secret(const SourceFiles& files, const SourceSpan& span);

/// Takes out of the findings what they show of hidden lines.
void hide_in(Diagnostics& findings, const SourceFiles& files);

}  // namespace actord::hocon
