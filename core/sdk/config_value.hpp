// SPDX-License-Identifier: Apache-2.0
//
// A configuration as plugins read it: actord_value over a resolved HOCON tree, with HOCON's
// conversions, and a refusal that points at file, line and column.
//
// Not here: which keys a behaviour has (its member table) and whether the operator wrote others
// (daemon/settings).
#pragma once

#include <actord/plugin.h>

#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hocon/tree.hpp"

namespace actord::sdk {

/// The reader of all values of one tree, which it keeps alive. Values point to it: it outlives them
/// and stays where it is. Threads: any; `find` is called on the thread that reads.
class ConfigReader : public actord_reader {
 public:
  /// The living actor of a path, or 0.
  using Find = std::function<actord_ref(std::string_view path)>;

  /// Without `find` no path is that of a living actor.
  explicit ConfigReader(hocon::Tree tree, Find find = {});
  ConfigReader(const ConfigReader&) = delete;
  ConfigReader& operator=(const ConfigReader&) = delete;

  /// `value` belongs to the tree, or is absent.
  actord_value value(const hocon::Value& value) const noexcept { return {this, value.node()}; }
  /// The other way round, for a value of this reader.
  hocon::Value value_of(actord_value value) const {
    return tree_.value_of(static_cast<const hocon::TreeNode*>(value.node));
  }
  const hocon::Tree& tree() const noexcept { return tree_; }
  /// For a system that comes to life after its configuration. Start-up only.
  void set_find(Find find) { find_ = std::move(find); }

 private:
  friend struct ConfigCalls;

  void leave_nulls_out(const hocon::Value& value);
  /// The positions of the members that count, of an object where not all of them do; else null.
  const std::vector<std::size_t>* counted(const hocon::Value& object) const;

  hocon::Tree tree_;
  Find find_;
  /// A null takes a key away, as it does for the keys of actord itself. Noted once: a plugin goes
  /// through the members of an object by number, and counting anew at each would be quadratic.
  std::unordered_map<const hocon::TreeNode*, std::vector<std::size_t>> counted_;
};

/// Whether a key of the configuration names a member: max-attempts is max_attempts.
bool is_same_key(std::string_view key, std::string_view member) noexcept;

/// The member of that name: as it is written, else with hyphens for underscores or the reverse.
hocon::Value member_of(const hocon::Value& object, std::string_view name);

}  // namespace actord::sdk
