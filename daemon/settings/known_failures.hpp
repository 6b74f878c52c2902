// SPDX-License-Identifier: Apache-2.0
//
// The names of failures that are known when a configuration is checked: those that plugins declare,
// those that the runtime reports itself, and the exceptions of the standard library. A decider may
// name others, because a plugin need not declare what it throws.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "system/behaviour_registry.hpp"

namespace actord::settings {

class KnownFailures {
 public:
  explicit KnownFailures(const std::vector<system::DeclaredFailures>& declared);

  bool has(std::string_view name) const { return names_.contains(name); }
  /// All names, sorted. They live as long as this object.
  std::vector<std::string_view> names() const { return {names_.begin(), names_.end()}; }

  /// A plugin that declares failures, with those of its own, without their bases.
  struct Plugin {
    std::string name;
    std::vector<std::string> failures;
  };
  const std::vector<Plugin>& plugins() const noexcept { return plugins_; }
  /// The plugin that declares failures in the namespace in which `name` lies; null if there is
  /// none.
  const Plugin* owner_of(std::string_view name) const;

 private:
  std::set<std::string, std::less<>> names_;
  std::vector<Plugin> plugins_;
};

}  // namespace actord::settings
