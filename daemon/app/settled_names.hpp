// SPDX-License-Identifier: Apache-2.0
//
// Names of files that change, and when each has been left alone for long enough to be looked at. A
// copy or an installation writes a file in many steps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"

namespace actord::app {

/// All times are on the monotonic clock. Threads: one.
class SettledNames {
 public:
  /// How long a file is left alone.
  static constexpr std::int64_t quiet_ns = 500 * base::ns_per_ms;

  void touch(std::string_view name, std::int64_t now_ns) {
    due_ns_.insert_or_assign(std::string{name}, now_ns + quiet_ns);
  }
  /// Takes out the names that are due.
  std::vector<std::string> take(std::int64_t now_ns) {
    std::vector<std::string> names;
    for (auto each = due_ns_.begin(); each != due_ns_.end();) {
      const bool is_due = each->second <= now_ns;
      if (is_due) names.push_back(each->first);
      each = is_due ? due_ns_.erase(each) : std::next(each);
    }
    return names;
  }
  /// When the next name is due; nullopt: there is none.
  std::optional<std::int64_t> next_ns() const {
    std::optional<std::int64_t> next;
    for (const auto& [name, due_ns] : due_ns_) {
      if (!next || due_ns < *next) next = due_ns;
    }
    return next;
  }
  bool contains(std::string_view name) const { return due_ns_.contains(name); }
  void clear() { due_ns_.clear(); }

 private:
  std::map<std::string, std::int64_t, std::less<>> due_ns_;
};

}  // namespace actord::app
