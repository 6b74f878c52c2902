// SPDX-License-Identifier: Apache-2.0
#include "base/biased_lock.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "support/wait.hpp"

namespace actord::base {

TEST_SUITE_BEGIN("base/biased_lock");

TEST_CASE("what one side has the other does not get") {
  BiasedLock lock;
  lock.lock();
  bool is_taken = true;
  std::thread([&] { is_taken = lock.try_lock_as_other(); }).join();
  CHECK_FALSE(is_taken);
  lock.unlock();
  std::thread([&] { is_taken = lock.try_lock_as_other(); }).join();
  CHECK(is_taken);
  CHECK_FALSE(lock.try_lock_as_other());  // a second thread that is not the owner
  lock.unlock_as_other();
  lock.lock();
  lock.unlock();
}

TEST_CASE("the owner waits until another has left") {
  const support::TimeLimit limit("the owner's lock");
  BiasedLock lock;
  int value = 0;  // plain, because the lock guards it
  CHECK(lock.try_lock_as_other());
  std::thread owner([&] {
    std::lock_guard guard(lock);
    CHECK(value == 1);
  });
  value = 1;
  lock.unlock_as_other();
  owner.join();
}

TEST_CASE("an owner and two others never meet inside, with the kernel's help or without") {
  const support::TimeLimit limit("the lock");
  for (const bool is_asymmetric :
       {has_fence_everywhere() && !BiasedLock::is_always_fenced, false}) {
    CAPTURE(is_asymmetric);
    constexpr int by_owner = 300'000;
    BiasedLock lock(is_asymmetric);
    std::int64_t count = 0, taken = 0;  // plain, because the lock guards them
    std::atomic<bool> is_over{false};
    std::atomic<std::int64_t> by_others{0};
    std::vector<std::jthread> others;
    for (int i = 0; i < 2; ++i) {
      others.emplace_back([&] {
        while (!is_over) {
          if (!lock.try_lock_as_other()) continue;
          ++count;
          ++taken;
          ++by_others;
          lock.unlock_as_other();
          std::this_thread::yield();
        }
      });
    }
    for (int i = 0; i < by_owner; ++i) {
      std::lock_guard guard(lock);
      ++count;
    }
    is_over = true;
    others.clear();
    CHECK(count == by_owner + by_others);
    CHECK(taken == by_others);
  }
}

TEST_SUITE_END();

}  // namespace actord::base
