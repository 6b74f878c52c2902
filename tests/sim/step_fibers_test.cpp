// SPDX-License-Identifier: Apache-2.0
//
// Checks that the fibers find bugs: small programs with a bug that shows in few interleavings, and
// the same programs without it.
#include "sim/step_fibers.hpp"

#include <doctest/doctest.h>

#include "base/sync.hpp"

namespace {

using namespace actord;
using sim::Fibers;

/// The first violation among the seeds; empty if there is none.
template <class Driver>
std::string play(std::uint64_t seeds, Driver&& driver) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    auto fibers = std::make_unique<Fibers>(Fibers::Options{.seed = seed, .steps_max = 100'000});
    const bool is_whole = fibers->run([&] {
      fibers->begin_phase();
      driver(*fibers);
    });
    if (is_whole) continue;
    const std::string violation = fibers->violation();
    Fibers::abandon(std::move(fibers));
    return violation;
  }
  return {};
}

void join_all(std::vector<base::Thread>& threads) {
  for (auto& thread : threads) thread.join();
}

template <class Body>
std::vector<base::Thread> start(int n, Body body) {
  std::vector<base::Thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back(body);
  return threads;
}

}  // namespace

TEST_CASE("an increment by load and store loses one in some interleaving") {
  const auto count = [](Fibers& fibers) {
    base::Atomic<int> sum{0};
    auto threads = start(2, [&] { sum.store(sum.load() + 1); });
    join_all(threads);
    if (sum.load() != 2) fibers.fail("lost");
  };
  CHECK(play(100, count) == "lost");
}

TEST_CASE("an increment under a lock loses none in any") {
  const auto count = [](Fibers& fibers) {
    base::Mutex mutex;
    base::Atomic<int> sum{0};
    auto threads = start(3, [&] {
      std::lock_guard lock(mutex);
      sum.store(sum.load() + 1);
    });
    join_all(threads);
    if (sum.load() != 3) fibers.fail("lost");
  };
  CHECK(play(500, count).empty());
}

TEST_CASE("two locks taken in opposite orders are a deadlock in some interleaving") {
  const auto cross = [](Fibers&) {
    base::Mutex a, b;
    base::Thread one([&] { std::scoped_lock first(a), second(b); });
    base::Thread two([&] { std::scoped_lock first(b), second(a); });
    one.join();
    two.join();
  };
  CHECK(play(200, cross).starts_with("deadlock"));
}

TEST_CASE("a thread that waits without a second check sleeps for ever in some interleaving") {
  const auto doze = [](bool looks_again) {
    return [looks_again](Fibers&) {
      base::Atomic<bool> is_ready{false};
      base::Mutex mutex;
      base::Condition condition;
      base::Thread sleeper([&] {
        const bool seen = is_ready.load();
        std::unique_lock lock(mutex);
        if (looks_again) condition.wait(lock, [&] { return is_ready.load(); });
        else if (!seen) condition.wait(lock);
      });
      base::Thread notifier([&] {
        {
          std::lock_guard lock(mutex);
          is_ready.store(true);
        }
        condition.notify_one();
      });
      sleeper.join();
      notifier.join();
    };
  };
  CHECK(play(500, doze(false)).starts_with("deadlock"));
  CHECK(play(500, doze(true)).empty());
}

TEST_CASE("a spin for a change that never comes is reported as a livelock") {
  CHECK(play(1, [](Fibers&) {
          base::Atomic<bool> never{false};
          while (!never.load()) base::cpu_relax();
        }).starts_with("livelock"));
}

TEST_CASE("a timed wait ends when no fiber can go on, and takes no time") {
  const auto wait = [](Fibers& fibers) {
    base::Parker parker;
    const std::int64_t start = base::step::now_ns();
    parker.park(3'600'000'000'000);
    if (base::step::now_ns() - start < 3'600'000'000'000) fibers.fail("too early");
  };
  CHECK(play(20, wait).empty());
}

TEST_CASE("one seed has one trace, another seed another") {
  const auto trace = [](std::uint64_t seed) {
    Fibers fibers({.seed = seed});
    fibers.run([&] {
      fibers.begin_phase();
      base::Atomic<int> sum{0};
      auto threads = start(3, [&] {
        for (int i = 0; i < 50; ++i) sum.fetch_add(1);
      });
      join_all(threads);
    });
    return fibers.trace_hash();
  };
  CHECK(trace(7) == trace(7));
  CHECK(trace(7) != trace(9));
}

TEST_CASE("an exception under way on one fiber is not seen by another") {
  const auto fail = [](Fibers& fibers) {
    base::Atomic<int> caught{0};
    auto threads = start(3, [&] {
      for (int i = 0; i < 4; ++i) {
        try {
          caught.load();
          throw i;
        } catch (int what) {
          caught.fetch_add(1);  // other fibers throw and catch meanwhile
          try {
            throw;
          } catch (int again) {
            if (again != what) fibers.fail("another's exception");
          }
        }
        if (std::uncaught_exceptions() != 0) fibers.fail("left under way");
      }
    });
    join_all(threads);
    if (caught.load() != 12) fibers.fail("lost");
  };
  CHECK(play(100, fail).empty());
}
