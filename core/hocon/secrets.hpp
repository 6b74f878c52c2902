// SPDX-License-Identifier: Apache-2.0
//
// Which values of a configuration are secret, and how one that is kept elsewhere is fetched.
//
// A secret is written where it is needed, or it is an object that says where it is kept:
// { credential = NAME }, { file = PATH } or { env = NAME }. A later one of these replaces an
// earlier one. The resolver puts the text in the object's place, so that it may be joined to
// others. Whatever a secret goes into is secret as well (taint.hpp).
//
// Not here: fetching one (whoever sets the reader), and which keys are secret (likewise).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "hocon/diagnostic.hpp"
#include "hocon/node.hpp"
#include "hocon/secret_form.hpp"

namespace actord::hocon {

/// What stands where a secret would be shown.
inline constexpr std::string_view secret_word = "(secret)";

/// Why an object at a secret place cannot stand for one, to be completed with its place.
struct FormMistake {
  std::string message;
  std::string help;
};
/// Of an object with those keys, whose newest definition names `form`. Nothing of what may be a
/// group of secrets: that has a key beside the three, and none that is nearly one of them as its
/// only key or beside another of them.
std::optional<FormMistake> mistake_in_form(SecretForm form, std::span<const std::string_view> keys);

/// Whether all of the keys say where a secret is kept, and there is one.
bool are_secret_forms(std::span<const std::string_view> keys) noexcept;

/// A secret that is kept elsewhere.
struct SecretRequest {
  std::string_view form;
  std::string_view name;
  Diagnostic at;  // the place, without a message: for the reader to complete
};

/// The text of a secret; the remark is passed on with the tree's warnings.
struct FetchedSecret {
  std::string text;
  std::optional<Diagnostic> remark;
};

/// A secret's text, valid UTF-8, or why there is none.
using SecretReader =
    std::function<base::Result<FetchedSecret, Diagnostic>(const SecretRequest& request)>;

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
Diagnostic mistake_in_secret(const SourceFiles& files, const Stretch& stretch);

/// Takes out of the findings what they show of hidden lines.
void hide_in(Diagnostics& findings, const SourceFiles& files);

}  // namespace actord::hocon
