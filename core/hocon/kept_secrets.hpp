// SPDX-License-Identifier: Apache-2.0
//
// Secrets that are kept elsewhere. An object says where: { credential = NAME }, { file = PATH } or
// { env = NAME }. The text fetched from there replaces the object. A later one of these keys
// replaces an earlier one.
//
// The resolver fetches a secret that stands under a key of its own, so that it can be joined to
// other texts (fetching.cpp). Secrets in lists, and values found to be secret only later, are
// fetched here, in the resolved tree; they cannot be joined to other texts any more.
//
// Not here: which values are secret (secrets.hpp), and the reading of one (secret_reader.hpp).
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

/// What is wrong with an object that should name a kept secret. The texts contain no place.
struct FormMistake {
  std::string message;
  std::string help;
};
/// The mistake in an object with those keys, whose newest definition names `form`. There are two
/// mistakes: one literal names several forms; or a key is nearly one of the three, and is the only
/// key or stands beside one of the three. Any other object names a secret or is a group of secrets.
std::optional<FormMistake> mistake_in_form(SecretForm form, std::span<const std::string_view> keys);

/// Whether each key says where a secret is kept. False without keys.
bool are_secret_forms(std::span<const std::string_view> keys) noexcept;

/// The name of a kept secret must be a text. Returns what is wrong, or nothing.
std::optional<std::string> mistake_in_name(std::string_view form, Kind name);

/// The request for the secret that `form` keeps under the name at `place`. `is_written`: no
/// substitution brought the name or a part of it.
SecretRequest request_for(const SourceFiles& files, std::string_view form, std::string_view name,
                          const SourceSpan& place, bool is_written);

/// The source of a secret in messages: "the credential db", or a path; without the name if that may
/// not be shown.
std::string external_place(const SecretRequest& request);

/// The findings about secrets that were fetched together.
struct SecretFindings {
  Diagnostics errors;
  std::vector<Value> unfetched;  // the values that the errors are about; still objects
};

/// Fetches the secrets at and below `nodes`, also in the copies that substitutions made of them.
/// Remarks go to the tree's warnings. Does not mark the values as secret. Does nothing without a
/// reader.
SecretFindings fetch_kept_secrets(TreeData& tree, std::span<TreeNode* const> nodes,
                                  const SecretReader& reader);

}  // namespace actord::hocon
