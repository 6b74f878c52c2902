// SPDX-License-Identifier: Apache-2.0
//
// Secrets that are kept elsewhere: an object says where, { credential = NAME }, { file = PATH } or
// { env = NAME }, and the text that is fetched from there takes its place. A later one of these
// replaces an earlier one.
//
// The resolver fetches what stands under a key of its own, so that it may be joined to others
// (fetching.cpp). What stands in a list, and what nobody knew to be secret by then, is fetched
// here, in the tree that has grown: nothing can be joined to it any more.
//
// Not here: which values are secret (secrets.hpp), and fetching one (secret_reader.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hocon/diagnostic.hpp"
#include "hocon/secret_form.hpp"
#include "hocon/secret_reader.hpp"
#include "hocon/tree.hpp"

namespace actord::hocon {

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

/// Where a secret is kept is said by text; why anything else is none, or nothing.
std::optional<std::string> mistake_in_name(std::string_view form, Kind name);

/// What messages call the place where a secret is kept: "the credential db", or a path.
std::string place_outside(std::string_view form, std::string_view name);

/// What is wrong with secrets that were fetched together.
struct SecretFindings {
  Diagnostics errors;
  std::vector<Value> unfetched;  // those that the errors are about: still objects
};

/// Fetches what stands at and below `nodes`, also where substitutions have brought it besides; the
/// remarks go to the tree's warnings. Does not make it secret. Without a reader it does nothing.
SecretFindings fetch_kept(TreeData& tree, std::span<TreeNode* const> nodes,
                          const SecretReader& reader);

}  // namespace actord::hocon
