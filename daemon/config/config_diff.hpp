// SPDX-License-Identifier: Apache-2.0
//
// Compares two configurations key by key. It also lists the objects of the newer one that were
// merged with older members although the author may have meant to replace them.
//
// Not here: what a reload does about the changes (settings/plan.hpp).
#pragma once

#include <string>
#include <vector>

#include "hocon/tree.hpp"
#include "schema/schema.hpp"

namespace actord::config {

struct KeyChange {
  std::string key;
  std::string from, from_origin;  // empty: the key is new
  std::string to, to_origin;      // empty: the key was removed
  schema::Reload reload = schema::Reload::restart;
};

/// An object that the newer configuration writes as a literal. Members that the literal does not
/// mention keep their older values, because objects merge.
struct Merge {
  std::string key;
  std::string origin;  // of the newest literal
  // "NAME (file:line:column)": members that come from older literals
  std::vector<std::string> kept;
};

struct ConfigDiff {
  std::vector<KeyChange> changes;  // in the order of the newer configuration; removed keys last
  std::vector<Merge> merges;       // only of objects in which a value changed
};

/// Scratch values (vars, x-...) are ignored. Secrets are compared but not shown.
ConfigDiff diff_between(const hocon::Tree& older, const hocon::Tree& newer);

}  // namespace actord::config
