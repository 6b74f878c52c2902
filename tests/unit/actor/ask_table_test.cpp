// SPDX-License-Identifier: Apache-2.0
#include "actor/ask_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

#include "base/random.hpp"
#include "support/dies.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/ask_table");

TEST_CASE("an ask is found by its number until it is taken, and never again") {
  AskTable<std::string> table;
  CHECK(table.find(1) == nullptr);
  const std::uint64_t number = table.add(1, "one");
  CHECK(number != 0);
  REQUIRE(table.find(number) != nullptr);
  CHECK(*table.find(number) == "one");
  CHECK(table.take(number) == "one");
  CHECK(table.find(number) == nullptr);
  CHECK(table.is_empty());
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t next = table.add(1, "next");
    CHECK(next != number);
    CHECK(table.find(number) == nullptr);
    table.take(next);
  }
}

TEST_CASE("to take an ask twice is a bug") {
  AskTable<int> table;
  const std::uint64_t number = table.add(1, 1);
  table.take(number);
  CHECK(support::assertion_broken_by([&] { table.take(number); }) == "slot.number == number");
}

TEST_CASE("asks are found through a random history, with some that wait for long") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    AskTable<int> table;
    std::map<std::uint64_t, int> waiting;
    std::set<std::uint64_t> over;
    for (int step = 0; step < 3000; ++step) {
      if (waiting.size() < random.below(40)) {
        const std::uint64_t number = table.add(7, step);
        REQUIRE(waiting.emplace(number, step).second);
        REQUIRE_FALSE(over.contains(number));
      } else if (!waiting.empty()) {
        const auto one = std::next(waiting.begin(), random.below(3) == 0 ? 0 : waiting.size() - 1);
        REQUIRE(table.take(one->first) == one->second);
        over.insert(one->first);
        waiting.erase(one);
      }
      for (const auto& [number, value] : waiting) {
        REQUIRE(table.find(number) != nullptr);
        REQUIRE(*table.find(number) == value);
        REQUIRE(table.has_given(number));
      }
    }
    for (const std::uint64_t number : over) CHECK(table.find(number) == nullptr);
    std::set<std::uint64_t> taken;
    table.take_all([&](std::uint64_t number, int) { taken.insert(number); });
    CHECK(taken.size() == waiting.size());
    CHECK(table.is_empty());
  }
}

TEST_CASE("the tenants of a cell number their asks far from each other") {
  std::set<std::uint64_t> first;
  for (std::uint32_t generation = 1; generation <= 1000; ++generation)
    first.insert(AskTable<int>{}.add(generation, 0));
  REQUIRE(first.size() == 1000);
  std::uint64_t nearest = *first.begin() + max_ask_number + 1 - *first.rbegin();
  for (auto next = std::next(first.begin()); next != first.end(); ++next)
    nearest = std::min(nearest, *next - *std::prev(next));
  CHECK(nearest > (max_ask_number + 1) / 2700);
}

TEST_CASE("a table knows which numbers were its own") {
  AskTable<int> table;
  CHECK_FALSE(table.has_given(0));
  CHECK_FALSE(table.has_given(1));
  const std::uint64_t first = table.add(5, 0), second = table.add(5, 0);
  table.take(first);
  CHECK(table.has_given(first));
  CHECK(table.has_given(second));
  CHECK_FALSE(table.has_given((second + 1) & max_ask_number));
  CHECK_FALSE(table.has_given((first - 1) & max_ask_number));
  AskTable<int> later;
  later.add(6, 0);
  CHECK_FALSE(later.has_given(first));
}

TEST_CASE("the ref of an answer holds the asker's cell and the number, and names no actor") {
  for (const std::uint32_t index : {1u, 77u, max_cell_index}) {
    for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{99}, max_ask_number}) {
      const Ref ref = make_answer_ref(index, number);
      CHECK(is_answer_ref(ref));
      CHECK(asker_index_of(ref) == index);
      CHECK(ask_number_of(ref) == number);
      CHECK(index_of(ref) > max_cell_index);
    }
  }
  CHECK_FALSE(is_answer_ref(nobody));
  CHECK_FALSE(is_answer_ref(make_ref(max_cell_index, ~0u)));
  CHECK_FALSE(is_answer_ref(dead_letters));
  CHECK_FALSE(is_answer_ref(bubble_walker));
}

}  // namespace actord::actor
