// SPDX-License-Identifier: Apache-2.0
#include "base/sync.hpp"

#include <doctest/doctest.h>

#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "support/wait.hpp"

namespace actord::base {

TEST_SUITE_BEGIN("base/sync");

TEST_CASE("a spin lock has one owner at a time") {
  const support::TimeLimit limit("the spin lock");
  SpinLock lock;
  int count = 0;  // plain, because the lock guards it
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20'000; ++i) {
        std::lock_guard guard(lock);
        ++count;
      }
    });
  }
  threads.clear();
  CHECK(count == 80'000);
}

TEST_CASE("a taken spin lock is not taken again by trying") {
  SpinLock lock;
  CHECK(lock.try_lock());
  CHECK_FALSE(lock.try_lock());
  lock.unlock();
  CHECK(lock.try_lock());
}

TEST_CASE("an unpark that comes before the park is not lost") {
  Parker parker;
  parker.unpark();
  const support::TimeLimit limit("a park after its unpark");
  parker.park(0);  // returns at once
}

TEST_CASE("unparks do not add up: two of them wake once") {
  Parker parker;
  parker.unpark();
  parker.unpark();
  const support::TimeLimit limit("a park after two unparks");
  parker.park(0);
  parker.park(1);  // no unpark is left: this call ends by its limit
}

TEST_CASE("a park ends at its deadline, not before") {
  Parker parker;
  const support::TimeLimit limit("a park with a deadline");
  set_timer_slack(1);
  for (const std::int64_t limit_ns : {0L, 1'000L, 2'000'000L}) {
    const std::int64_t deadline = monotonic_ns() + limit_ns;
    parker.park_until(deadline);
    CHECK(monotonic_ns() >= deadline);
  }
  parker.park_until(1);  // a time long past
}

TEST_CASE("two threads can wake each other for ever") {
  const support::TimeLimit limit("an unpark");
  Parker left, right;
  std::jthread other([&] {
    for (int i = 0; i < 2000; ++i) {
      right.park(0);
      left.unpark();
    }
  });
  for (int i = 0; i < 2000; ++i) {
    right.unpark();
    left.park(0);
  }
}

TEST_CASE("a count grows by one and by more, and its copy is independent") {
  OwnerCount count;
  CHECK(count == 0);
  ++count;
  ++count;
  const OwnerCount copy = count;
  count += 40;
  CHECK(count == 42);
  CHECK(copy == 2);
}

TEST_CASE("a count of 64 bits carries beyond 32") {
  OwnerCount count;
  count += 0xffff'ffffU;
  ++count;
  CHECK(count == 0x1'0000'0000U);
}

TEST_CASE("another thread sees a count grow, and never go back") {
  OwnerCount count;
  constexpr std::uint64_t end = 100'000;
  std::jthread owner([&] {
    while (count < end) ++count;
  });
  std::uint64_t last = 0;
  bool has_gone_back = false;
  while (last < end) {
    const std::uint64_t now = count;
    has_gone_back = has_gone_back || now < last;
    last = now;
  }
  owner.join();
  CHECK_FALSE(has_gone_back);
}

TEST_SUITE_END();

}  // namespace actord::base
