// SPDX-License-Identifier: Apache-2.0
//
// Secrecy by taint: not a key's name makes a value secret, but what went into it.
//
// A text comes from where it was written, and a joined text from all that substitutions brought
// into it. What a secret value comes from is secret, and so is every value that comes from there:
// the same text under another key, and each text that it is a part of.
#pragma once

#include <span>
#include <vector>

#include "hocon/secrets.hpp"
#include "hocon/tree_data.hpp"

namespace actord::hocon {

/// What an object means that says where a secret is kept, and was not fetched.
enum class KeptForm : std::uint8_t {
  names_place,  // no secret: whoever is told that it cannot be had may see it
  is_value,     // nobody knows whether it is one at all: it is hidden like any other
};

/// Makes the values of these nodes secret, with all in them and all that comes from them, and hides
/// the lines where they are written.
void taint(TreeData& tree, std::span<TreeNode* const> secrets, KeptForm form);

/// The nodes of the tree that lie at `places`.
std::vector<TreeNode*> nodes_at(const TreeData& tree, const SecretPlaces& places);

}  // namespace actord::hocon
