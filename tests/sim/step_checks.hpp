// SPDX-License-Identifier: Apache-2.0
//
// Checkers of the step profile that need only their arguments: whether an actor that stops was
// asked to stop, and whether watcher and watched actor agree on a watch. A checker fails if a
// cell's next tenant obeys a system message that was meant for the dead one.
#pragma once

#include <algorithm>
#include <set>
#include <string_view>

#include "actor/cell_extras.hpp"
#include "actor/ref.hpp"
#include "actor/system_message.hpp"

namespace actord::sim::steps {

/// 10: an actor that was stopped by a message was sent one. All other stops are supervision's.
class StopCheck {
 public:
  /// Call before the stop is sent.
  void asked(actor::Ref whom) { asked_.insert(whom); }
  bool may_end(actor::Ref who, actor::StopReason reason) const {
    return reason != actor::StopReason::stopped || asked_.contains(who);
  }

 private:
  std::set<actor::Ref> asked_;
};

/// 24, for one living actor while nothing is under way: what is wrong with its watches, or an empty
/// text. `watches_of` returns the watches of a living actor, and nullptr for all others.
template <class Find>
std::string_view fault_of_watches(actor::Ref self, const actor::DeathWatch::Watches& watches,
                                  Find&& watches_of) {
  using Watcher = actor::DeathWatch::Watcher;
  for (const auto& [who, replacement] : watches.watching) {
    const actor::DeathWatch::Watches* const other = watches_of(who);
    if (other == nullptr ||
        std::ranges::find(other->watchers, self, &Watcher::who) == other->watchers.end())
      return "watches an actor that has no such watcher";
  }
  for (const auto& [watcher, token] : watches.watchers) {
    if (token != 0) continue;  // it awaits the end, and does not watch
    const actor::DeathWatch::Watches* const other = watches_of(watcher);
    if (other == nullptr || !other->watching.contains(self))
      return "has a watcher that does not watch it";
  }
  return {};
}

}  // namespace actord::sim::steps
