// SPDX-License-Identifier: Apache-2.0
//
// Secrecy by taint: a value is secret because a secret text went into it, not because of its key.
//
// A text has an origin, and a joined text has the origins of all texts that substitutions brought
// into it. The origins of a secret value are secret. Every value with a secret origin is secret:
// the same text under another key, and each text that contains it.
#pragma once

#include <span>
#include <vector>

#include "hocon/secrets.hpp"
#include "hocon/tree_data.hpp"

namespace actord::hocon {

/// How an object like { file = PATH } is treated at the place of a secret if it was not fetched.
enum class UnfetchedSecret : std::uint8_t {
  names_place,  // it names a place and is not secret: an error message may show it
  is_value,     // it may be a plain value, so it is hidden like any secret
};

/// Why values are made secret: a key declares them so, or they may be secrets under a wrong key.
enum class Secrecy : std::uint8_t { declared, suspected };

/// Makes these nodes secret, with all values in them, older values that they override, and all
/// values with the same origins.
void taint(TreeData& tree, std::span<TreeNode* const> secrets, UnfetchedSecret unfetched,
           Secrecy secrecy = Secrecy::declared);

/// The nodes of the tree at `places`.
std::vector<TreeNode*> nodes_at(const TreeData& tree, const SecretPlaces& places);

}  // namespace actord::hocon
