// SPDX-License-Identifier: Apache-2.0
//
// The checkers of the step profile: which faults each must report, and which states it must accept.
#include "sim/step_checks.hpp"

#include <doctest/doctest.h>

#include <map>

namespace actord::sim::steps {

TEST_SUITE_BEGIN("sim/step_checks");

TEST_CASE("10: an actor that ends by an order to stop was given one") {
  const actor::Ref old = actor::make_ref(7, 1), tenant = actor::make_ref(7, 2);
  StopCheck check;
  check.asked(old);
  CHECK(check.may_end(old, actor::StopReason::stopped));
  CHECK_FALSE(check.may_end(tenant, actor::StopReason::stopped));
  CHECK(check.may_end(tenant, actor::StopReason::parent));
}

TEST_CASE("24: watcher and watched actor agree on a watch") {
  const actor::Ref watcher = actor::make_ref(3, 1);
  const actor::Ref old = actor::make_ref(7, 1), tenant = actor::make_ref(7, 2);
  std::map<actor::Ref, actor::DeathWatch::Watches> living;
  const auto fault = [&](actor::Ref who) {
    return fault_of_watches(who, living[who], [&](actor::Ref other) {
      const auto found = living.find(other);
      return found == living.end() ? nullptr : &found->second;
    });
  };
  SUBCASE("the rule is kept") {
    living[watcher].watching.emplace(tenant, nullptr);
    living[tenant].watchers = {{watcher, 0}, {old, 5}};  // `old` awaits the end
    CHECK(fault(watcher).empty());
    CHECK(fault(tenant).empty());
  }
  SUBCASE("the order to watch reached another tenant of the cell") {
    living[watcher].watching.emplace(old, nullptr);
    living[tenant].watchers = {{watcher, 0}};
    CHECK(fault(watcher) == "watches an actor that has no such watcher");
    CHECK(fault(tenant) == "has a watcher that does not watch it");
  }
  SUBCASE("the order to unwatch reached another tenant of the cell") {
    living[watcher].watching.emplace(tenant, nullptr);
    living[tenant];
    CHECK(fault(watcher) == "watches an actor that has no such watcher");
  }
}

TEST_SUITE_END();

}  // namespace actord::sim::steps
