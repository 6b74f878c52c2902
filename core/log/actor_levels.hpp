// SPDX-License-Identifier: Apache-2.0
//
// Levels that hold for single actors and all below them, in place of the level of the log: more
// lines of one part of the tree, or fewer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/sync.hpp"
#include "log/log_record.hpp"

namespace actord::log {

/// Threads: any.
class ActorLevels {
 public:
  struct Rule {
    std::string path;  // absolute
    Level level;
  };

  /// Replaces the rule for that path, if there is one.
  void set(std::string_view path, Level level);
  /// False: there was no such rule.
  bool remove(std::string_view path);
  std::vector<Rule> all() const;
  bool is_empty() const;

  /// The level for the actor at `path`: that of the longest path of a rule that is its own or one
  /// above it; `otherwise` if there is none.
  Level level_at(std::string_view path, Level otherwise) const;
  /// The most verbose level of all rules and `otherwise`.
  Level widest(Level otherwise) const;

 private:
  mutable base::SharedMutex mutex_;
  std::vector<Rule> rules_;
};

}  // namespace actord::log
