// SPDX-License-Identifier: Apache-2.0
//
// Two configurations, key by key, and what in the newer one was merged where its author may have
// meant to replace.
//
// Not here: what a reload would do about the changes (settings/plan.hpp).
#pragma once

#include <string>
#include <vector>

#include "hocon/tree.hpp"
#include "settings/schema.hpp"

namespace actord::app {

struct KeyChange {
  std::string key;
  std::string from, from_place;  // empty: it had no value
  std::string to, to_place;      // empty: it has none any more
  settings::Reload reload = settings::Reload::restart;
};

/// An object of the newer configuration that was written anew, and members of it that were not:
/// objects merge.
struct Merge {
  std::string key;
  std::string place;              // of the newest mention
  std::vector<std::string> kept;  // "NAME (file:line:column)": what still holds from before it
};

struct ConfigDiff {
  std::vector<KeyChange> changes;  // in the order of the newer one, then what is gone
  std::vector<Merge> merges;       // of objects in which something changed
};

/// Scratch values (vars, x-...) do not count. Secrets are compared and not shown.
ConfigDiff diff_between(const hocon::Tree& older, const hocon::Tree& newer);

}  // namespace actord::app
