// SPDX-License-Identifier: Apache-2.0
//
// Makes a scenario that breaks a rule shorter, as long as it breaks the same rule: operations by
// delta debugging, then actors, faults, traits and steps one by one, then the scheduler's choices
// towards 0, which means "oldest first, on the first worker".
//
// Not here: how a scenario is run; the caller passes that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/profile.hpp"
#include "sim/scenario.hpp"
#include "sim/sim_world.hpp"

namespace actord::sim {

/// The items that remain when no chunk and no single item can be removed: `holds` must be true of
/// `items`, and is true of the result. Stops early when `is_over` says so.
template <class Item>
std::vector<Item> minimized(std::vector<Item> items,
                            const std::function<bool(const std::vector<Item>&)>& holds,
                            const std::function<bool()>& is_over) {
  std::size_t chunk = (items.size() + 1) / 2;
  while (chunk > 0 && !items.empty()) {
    bool is_shorter = false;
    for (std::size_t at = 0; at < items.size() && !is_over();) {
      const std::size_t end = std::min(at + chunk, items.size());
      std::vector<Item> rest(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(at));
      rest.insert(rest.end(), items.begin() + static_cast<std::ptrdiff_t>(end), items.end());
      if (holds(rest)) items = std::move(rest), is_shorter = true;
      else at = end;
    }
    if (is_over()) break;
    if (chunk == 1 && !is_shorter) break;
    if (chunk > 1) chunk = (chunk + 1) / 2;
  }
  return items;
}

class Shrinker {
 public:
  using Run = std::function<Outcome(const Scenario&, Choices*)>;

  /// Shrinks for up to `within_ns`, by the real clock.
  Shrinker(Run run, std::int64_t within_ns);

  struct Shrunk {
    Scenario scenario;
    Choices choices;  // to be replayed, with no random ones
    Outcome outcome;
    std::uint64_t trials = 0;
  };
  /// `scenario` must break a rule.
  Shrunk shrink(const Scenario& scenario);

 private:
  bool is_over() const;
  bool breaks(const Scenario& scenario);
  bool breaks(const Scenario& scenario, std::vector<std::uint32_t> choices);
  void pin_targets(Scenario& scenario);
  void shorten_operations(Scenario& scenario);
  void drop_actors(Scenario& scenario);
  void simplify(Scenario& scenario);
  std::vector<std::uint32_t> calm_schedule(const Scenario& scenario);

  Run run_;
  std::int64_t deadline_ns_;
  std::string rule_;
  std::uint64_t trials_ = 0;
};

/// The rule's number at the start of a violation.
std::string rule_of(const std::string& violation);

}  // namespace actord::sim
