// SPDX-License-Identifier: Apache-2.0
//
// A configuration as plugins read it: actord_value on top of a resolved HOCON tree, with HOCON's
// conversions. A rejected value is reported with file, line and column.
//
// Not here: the keys of a behaviour (its member table), and the check for unknown keys
// (daemon/settings).
#pragma once

#include <actord/plugin.h>

#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hocon/tree.hpp"

namespace actord::sdk {

/// The reader of all values of one tree, which it keeps alive. Values point to the reader, so that
/// it must outlive them and must not move. Threads: any; `find` is called on the reading thread.
class ConfigReader : public actord_reader {
 public:
  /// Returns the living actor at a path, or 0.
  using Find = std::function<actord_ref(std::string_view path)>;
  /// Receives a value that a plugin rejects, which may be absent.
  using Rejected = std::function<void(const hocon::Value&, std::string_view reason)>;

  /// Without `find` no path leads to an actor. With `rejected`, a rejected value goes there;
  /// without, it becomes a failure with the text of the finding.
  explicit ConfigReader(hocon::Tree tree, Find find = {}, Rejected rejected = {});
  ConfigReader(const ConfigReader&) = delete;
  ConfigReader& operator=(const ConfigReader&) = delete;

  /// `value` belongs to the tree or is absent.
  actord_value value(const hocon::Value& value) const noexcept { return {this, value.node()}; }
  /// The reverse of value(), for a value of this reader.
  hocon::Value value_of(actord_value value) const {
    return tree_.value_of(static_cast<const hocon::TreeNode*>(value.node));
  }
  const hocon::Tree& tree() const noexcept { return tree_; }
  /// For a system that is created after its configuration. Call it before an actor reads a value.
  void set_find(Find find) { find_ = std::move(find); }

 private:
  friend struct ConfigCalls;

  // Fills `visible_members_` for the value and all values in it.
  void find_visible_members(const hocon::Value& value);
  /// The positions of those members of an object that are not null; nullptr if all members count.
  const std::vector<std::size_t>* visible_members(const hocon::Value& object) const;

  hocon::Tree tree_;
  Find find_;
  const Rejected rejected_;
  /// A null removes a key, as it does for actord's own keys. The positions are computed once,
  /// because a plugin reads members by number, and counting at each access would be quadratic.
  std::unordered_map<const hocon::TreeNode*, std::vector<std::size_t>> visible_members_;
};

/// Whether a configuration key names that member. Hyphens and underscores are the same:
/// max-attempts names max_attempts.
bool is_same_key(std::string_view key, std::string_view member) noexcept;

/// The member with exactly that name, else one whose name is the same by is_same_key().
hocon::Value member_of(const hocon::Value& object, std::string_view name);

}  // namespace actord::sdk
