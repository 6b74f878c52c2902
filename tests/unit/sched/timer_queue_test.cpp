// SPDX-License-Identifier: Apache-2.0
#include "sched/timer_queue.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace actord::sched {

TEST_SUITE_BEGIN("sched/timer_queue");

namespace {

using Tokens = std::vector<std::uint64_t>;

Tokens pop_all(TimerQueue& queue, std::int64_t now) {
  Tokens tokens;
  while (const auto entry = queue.pop_due(now)) tokens.push_back(entry->token);
  return tokens;
}

}  // namespace

TEST_CASE("entries fire in the order in which they are due, whatever the order of adding") {
  TimerQueue queue([] {});
  queue.add(300, 1, 3);
  queue.add(100, 1, 1);
  queue.add(200, 1, 2);
  CHECK(queue.size() == 3);
  CHECK(queue.next_due() == 100);
  CHECK(pop_all(queue, 1000) == Tokens{1, 2, 3});
  CHECK_FALSE(queue.next_due());
}

TEST_CASE("entries that are due together fire in the order of adding") {
  TimerQueue queue([] {});
  for (std::uint64_t token = 0; token < 10; ++token) queue.add(100, token % 3, token);
  CHECK(pop_all(queue, 100) == Tokens{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("an entry never fires early, and it does at its very time") {
  TimerQueue queue([] {});
  queue.add(100, 7, 1);
  CHECK_FALSE(queue.pop_due(99));
  const auto entry = queue.pop_due(100);
  REQUIRE(entry);
  CHECK(entry->owner == 7);
  CHECK(entry->due_ns == 100);
  CHECK_FALSE(queue.pop_due(100));
}

TEST_CASE("a cancelled entry does not fire, and it is cancelled once") {
  TimerQueue queue([] {});
  const auto first = queue.add(100, 1, 1);
  const auto second = queue.add(100, 1, 2);
  CHECK(queue.cancel(first));
  CHECK_FALSE(queue.cancel(first));
  CHECK(pop_all(queue, 100) == Tokens{2});
  CHECK_FALSE(queue.cancel(second));
  CHECK_FALSE(queue.cancel({}));
}

TEST_CASE("who drives time is told of an entry that is due before all others, and of no other") {
  int told = 0;
  TimerQueue queue([&] { ++told; });
  queue.add(100, 1, 1);
  CHECK(told == 1);
  queue.add(200, 1, 2);
  queue.add(100, 1, 3);
  CHECK(told == 1);
  queue.add(50, 1, 4);
  CHECK(told == 2);
}

TEST_CASE("the listener may look at the queue: it is called outside the lock") {
  TimerQueue* seen = nullptr;
  std::optional<std::int64_t> due;
  TimerQueue queue([&] { due = seen->next_due(); });
  seen = &queue;
  queue.add(100, 1, 1);
  CHECK(due == 100);
}

TEST_CASE("of threads that add, cancel and pop at once, each entry has one end") {
  constexpr int threads = 3;
  constexpr std::uint64_t each = 3000;
  TimerQueue queue([] {});
  std::atomic<std::uint64_t> cancelled{0}, added{0};
  std::multiset<std::uint64_t> fired;
  std::vector<std::jthread> adders;
  for (std::uint64_t t = 0; t < threads; ++t) {
    adders.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < each; ++i) {
        const auto handle = queue.add(static_cast<std::int64_t>(i % 97), t, t * each + i);
        if (i % 2 == 0 && queue.cancel(handle)) ++cancelled;
        ++added;
      }
    });
  }
  while (added < threads * each || queue.size() != 0) {
    if (const auto entry = queue.pop_due(100)) fired.insert(entry->token);
  }
  CHECK(fired.size() + cancelled == threads * each);
  CHECK(std::set<std::uint64_t>(fired.begin(), fired.end()).size() == fired.size());
}

TEST_SUITE_END();

}  // namespace actord::sched
