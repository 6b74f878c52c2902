// SPDX-License-Identifier: Apache-2.0
#include "actor/slot_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

#include "actor/timer_table.hpp"
#include "base/random.hpp"
#include "support/dies.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/slot_table");

TEST_CASE("a value is found by its key until it is taken, and never again") {
  SlotTable<std::string> table;
  const std::uint64_t key = table.add("one");
  CHECK(key != 0);
  REQUIRE(table.find(key) != nullptr);
  CHECK(*table.find(key) == "one");
  CHECK(table.take(key) == "one");
  CHECK(table.find(key) == nullptr);
  CHECK(table.is_empty());
  const std::uint64_t other = table.add("two");  // in the same place
  CHECK(other != key);
  CHECK(table.find(key) == nullptr);
  CHECK(*table.find(other) == "two");
}

TEST_CASE("to take a value twice is a bug, also when another has its place") {
  SlotTable<int> table;
  const std::uint64_t key = table.add(1);
  table.take(key);
  const auto take_again = [&] { table.take(key); };
  CHECK(support::assertion_broken_by(take_again) == "slot.uses == key >> index_bits");
  table.add(2);
  CHECK(support::assertion_broken_by(take_again) == "slot.uses == key >> index_bits");
}

TEST_CASE("what was never given is not found") {
  SlotTable<int> table;
  CHECK(table.find(0) == nullptr);
  const std::uint64_t key = table.add(1);
  CHECK(table.find(0) == nullptr);
  CHECK(table.find(key + 1) == nullptr);
  CHECK(table.find(UINT64_MAX) == nullptr);
}

TEST_CASE("all are taken with their keys, and the table goes on") {
  SlotTable<int> table;
  std::set<std::uint64_t> keys;
  for (int i = 0; i < 10; ++i) keys.insert(table.add(i));
  table.take(*keys.begin());
  std::set<std::uint64_t> taken;
  table.take_all([&](std::uint64_t key, int) { taken.insert(key); });
  keys.erase(keys.begin());
  CHECK(taken == keys);
  CHECK(table.size() == 0);
  const std::uint64_t again = table.add(1);
  CHECK_FALSE(keys.contains(again));
}

TEST_CASE("timers are found by key and by number, through a random history") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    TimerTable table;
    std::map<std::string, std::uint64_t> model;
    std::vector<std::uint64_t> gone;
    for (int step = 0; step < 2000; ++step) {
      const std::string key = "key " + std::to_string(random.below(40));
      const auto found = model.find(key);
      REQUIRE(table.named({key}) == (found == model.end() ? TimerTable::none : found->second));
      if (found == model.end()) {
        model[key] =
            table.add({key, 0, step, false, false, nullptr, {}}, TimerTable::HashedKey{key}.hash);
      } else if (random.below(2) == 0) {
        REQUIRE(table.find(found->second)->key == key);
        REQUIRE(table.take(found->second).key == key);
        gone.push_back(found->second);
        model.erase(found);
      }
      if (!gone.empty()) REQUIRE(table.find(gone[random.below(gone.size())]) == nullptr);
    }
    std::set<std::string> left;
    table.take_all([&](const ActorTimer& timer) { left.insert(timer.key); });
    CHECK(left.size() == model.size());
    CHECK(table.is_empty());
    CHECK(table.named({"key 1"}) == TimerTable::none);
  }
}

TEST_SUITE_END();

}  // namespace actord::actor
