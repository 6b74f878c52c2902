// SPDX-License-Identifier: Apache-2.0
#include "sched/timer_wheel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "support/dies.hpp"
#include "support/wait.hpp"

namespace actord::sched {

TEST_SUITE_BEGIN("sched/timer_wheel");

using support::assertion_broken_by;

namespace {

using Tokens = std::vector<std::uint64_t>;

constexpr std::int64_t us = 1'000, ms = 1'000'000, s = 1'000'000'000;

Tokens fire_all(TimerWheel& wheel, std::int64_t now) {
  Tokens tokens;
  wheel.fire_due(now, [&](const Timer& timer) { tokens.push_back(timer.token); });
  return tokens;
}

// A simple model of what a wheel does.
class Model {
 public:
  std::uint64_t add(std::int64_t due_ns) {
    ++last_;
    timers_.emplace(std::pair{due_ns, last_}, last_);
    due_of_[last_] = due_ns;
    return last_;
  }
  bool cancel(std::uint64_t token) {
    return due_of_.contains(token) && timers_.erase({due_of_[token], token}) != 0;
  }
  Tokens fire_all(std::int64_t now) {
    Tokens tokens;
    while (!timers_.empty() && timers_.begin()->first.first <= now) {
      tokens.push_back(timers_.begin()->second);
      timers_.erase(timers_.begin());
    }
    return tokens;
  }
  std::int64_t earliest_due() const {
    return timers_.empty() ? TimerWheel::never : timers_.begin()->first.first;
  }
  std::size_t size() const { return timers_.size(); }
  std::uint64_t last() const { return last_; }

 private:
  std::map<std::pair<std::int64_t, std::uint64_t>, std::uint64_t> timers_;
  std::map<std::uint64_t, std::int64_t> due_of_;
  std::uint64_t last_ = 0;
};

// Delays of every size, often equal and often at the edges of slots.
std::int64_t some_delay(base::Random& random) {
  const std::int64_t slot = std::int64_t{1} << 14;
  switch (random.below(8)) {
    case 0: return 0;
    case 1: return static_cast<std::int64_t>(random.below(40 * us));
    case 2: return static_cast<std::int64_t>(random.below(300)) * slot;
    case 3: return static_cast<std::int64_t>(random.below(300)) * slot * 256 - 1;
    case 4: return static_cast<std::int64_t>(random.below(3 * s));
    case 5: return static_cast<std::int64_t>(random.below(5)) * 100 * s;
    case 6: return std::int64_t{1} << random.below(61);
    default: return longest_delay_ns;
  }
}

}  // namespace

TEST_CASE("timers fire in the order in which they are due, whatever the order of setting") {
  TimerWheel wheel;
  wheel.add(300 * ms, 1, 3);
  wheel.add(100, 1, 1);
  wheel.add(200 * us, 1, 2);
  CHECK(wheel.size() == 3);
  CHECK(wheel.next_due() == 100);
  CHECK(fire_all(wheel, s) == Tokens{1, 2, 3});
  CHECK(wheel.size() == 0);
  CHECK(wheel.next_due() == TimerWheel::never);
}

TEST_CASE("timers that are due together fire in the order of setting") {
  TimerWheel wheel;
  const std::int64_t due = 5 * s + 7;
  Tokens all;
  for (std::uint64_t token = 0; token < 40; ++token) {
    wheel.add(due, token % 3, token);
    all.push_back(token);
    fire_all(wheel, static_cast<std::int64_t>(token) * due / 41);  // the timers move down meanwhile
  }
  CHECK(fire_all(wheel, due) == all);
}

TEST_CASE("a timer never fires early, and it does at its very time") {
  for (const std::int64_t due : {std::int64_t{0}, std::int64_t{1}, 16'384L, 100 * us, 5 * ms, 3 * s,
                                 1000 * s, longest_delay_ns}) {
    CAPTURE(due);
    TimerWheel wheel;
    wheel.add(due, 7, 1);
    CHECK(wheel.next_due() == due);
    CHECK(fire_all(wheel, due - 1).empty());
    CHECK(wheel.next_due() == due);
    wheel.fire_due(due, [&](const Timer& timer) {
      CHECK(timer.owner == 7);
      CHECK(timer.due_ns == due);
    });
    CHECK(wheel.size() == 0);
    CHECK(fire_all(wheel, due).empty());
  }
}

TEST_CASE("what is due already fires at the next call, the clock may go back") {
  TimerWheel wheel;
  fire_all(wheel, 10 * s);
  wheel.add(3 * s, 0, 2);
  wheel.add(-5, 0, 1);
  wheel.add(9 * s, 0, 3);
  CHECK(fire_all(wheel, 8 * s) == Tokens{1, 2});
  CHECK(fire_all(wheel, 10 * s) == Tokens{3});
}

TEST_CASE("a handle that is made up cancels nothing, in a wheel that was never used either") {
  TimerWheel wheel;
  for (const std::uint32_t node : {0u, 1u, 5'000u}) {
    CAPTURE(node);
    CHECK_FALSE(wheel.cancel_as_other({&wheel, node, 0}));
  }
  CHECK_FALSE(wheel.cancel_as_other({&wheel, 0, 1}));
}

TEST_CASE("a cancelled timer does not fire, and it is cancelled once") {
  for (const std::int64_t due : {100L, 50 * ms, 700 * s}) {
    CAPTURE(due);
    TimerWheel wheel;
    const TimerHandle first = wheel.add(due, 1, 1);
    const TimerHandle second = wheel.add(due, 2, 2);
    CHECK(wheel.cancel(first));
    CHECK_FALSE(wheel.cancel(first));
    CHECK(wheel.size() == 1);
    CHECK(fire_all(wheel, due) == Tokens{2});
    CHECK_FALSE(wheel.cancel(second));
    CHECK_FALSE(wheel.cancel({}));
    CHECK_FALSE(wheel.cancel({&wheel, 1'000'000, 1}));
    TimerWheel another;
    CHECK_FALSE(another.cancel(wheel.add(2 * due, 0, 3)));
  }
}

TEST_CASE("a handle does not name the timer that has its place now") {
  TimerWheel wheel;
  const TimerHandle old = wheel.add(100, 0, 1);
  CHECK(wheel.cancel(old));
  const TimerHandle fired = wheel.add(100, 0, 2);
  fire_all(wheel, 100);
  wheel.add(200, 0, 3);
  CHECK_FALSE(wheel.cancel(old));
  CHECK_FALSE(wheel.cancel(fired));
  CHECK(fire_all(wheel, 200) == Tokens{3});
}

TEST_CASE("a caller that does not trust its handle says what may be cancelled") {
  TimerWheel wheel;
  const TimerHandle handle = wheel.add(100, 0, 1);
  CHECK_FALSE(wheel.cancel_as_other(handle, [](const Timer& timer) { return timer.token == 2; }));
  const auto taken =
      wheel.cancel_as_other(handle, [](const Timer& timer) { return timer.token == 1; });
  REQUIRE(taken);
  CHECK(taken->due_ns == 100);
  CHECK(taken->token == 1);
}

TEST_CASE("a delay begins with the next look at the clock") {
  TimerWheel wheel;
  fire_all(wheel, s);
  wheel.add_after(10 * ms, 0, 1);
  const TimerHandle second = wheel.add_after(10 * ms, 0, 2);
  wheel.add_after(0, 0, 3);
  CHECK(wheel.next_due() < 0);  // unknown
  CHECK(wheel.size() == 3);
  CHECK(wheel.cancel(second));
  CHECK(fire_all(wheel, 2 * s) == Tokens{3});
  CHECK(wheel.next_due() == 2 * s + 10 * ms);
  CHECK(fire_all(wheel, 2 * s + 10 * ms - 1).empty());
  CHECK(fire_all(wheel, 2 * s + 10 * ms) == Tokens{1});
}

TEST_CASE("of delays that were all cancelled nothing is left") {
  TimerWheel wheel;
  const TimerHandle first = wheel.add_after(s, 0, 1), last = wheel.add_after(s, 0, 2);
  CHECK(wheel.cancel(first));
  CHECK(wheel.cancel(last));
  CHECK(wheel.next_due() == TimerWheel::never);
  CHECK(wheel.fire_due(s, [](const Timer&) {}) == TimerWheel::never);
}

TEST_CASE("a timer may be set and cancelled while others fire") {
  TimerWheel wheel;
  TimerHandle victim;
  Tokens fired;
  wheel.add(100, 0, 1);
  victim = wheel.add(100, 0, 2);
  wheel.fire_due(100, [&](const Timer& timer) {
    fired.push_back(timer.token);
    if (timer.token != 1) return;
    CHECK(wheel.cancel(victim));
    wheel.add(100, 0, 3);
    wheel.add(101, 0, 4);
  });
  CHECK(fired == Tokens{1, 3});
  CHECK(wheel.next_due() == 101);
}

TEST_CASE("another thread fires all that is due, in order, however much it is") {
  TimerWheel wheel;
  Tokens set, fired;
  for (std::uint64_t token = 0; token < 100; ++token) {
    wheel.add(static_cast<std::int64_t>(token), 0, token);
    set.push_back(token);
  }
  wheel.add(101, 0, 100);
  const std::int64_t next =
      wheel.fire_due_as_other(100, [&](const Timer& timer) { fired.push_back(timer.token); });
  CHECK(fired == set);
  CHECK(next == 101);
  CHECK(wheel.size() == 1);
}

TEST_CASE("the chosen timers are taken out, and no others") {
  TimerWheel wheel;
  wheel.add(50, 0, 1);  // near enough for the heap
  wheel.add(3 * s, 0, 2);
  wheel.add(3 * s, 0, 3);
  wheel.add_after(s, 0, 5);
  const auto odd = [](const Timer& timer) { return timer.token % 2 == 1; };
  std::vector<Timer> taken = wheel.extract_as_other(odd);
  std::ranges::sort(taken, {}, &Timer::token);
  REQUIRE(taken.size() == 3);
  CHECK(taken[0].token == 1);
  CHECK(taken[1].token == 3);
  CHECK(taken[2].token == 5);
  CHECK(fire_all(wheel, 10 * s) == Tokens{2});
}

TEST_CASE("a random history goes as it would in an ordered table") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    base::Random random(seed);
    TimerWheel wheel;
    Model model;
    std::vector<TimerHandle> handles(1);
    std::int64_t now = static_cast<std::int64_t>(random.below(1'000'000) * s);
    for (int step = 0; step < 1500; ++step) {
      const std::uint64_t choice = random.below(10);
      if (choice < 5) {
        const std::int64_t due = now + some_delay(random) - 20 * us;
        const std::uint64_t token = model.add(due);
        handles.push_back(wheel.add(due, token, token));
      } else if (choice < 8) {
        const std::uint64_t token = 1 + random.below(model.last() + 1);
        const bool is_there = token < handles.size() && wheel.cancel(handles[token]);
        REQUIRE(is_there == model.cancel(token));
      } else {
        const std::int64_t due = model.earliest_due();
        if (choice == 8) now += static_cast<std::int64_t>(random.below(100 * us));
        else if (random.below(2) == 0 && due != TimerWheel::never) now = std::max(now, due - 1);
        else now += some_delay(random) / 4;
        now = std::min(now, longest_delay_ns);
        REQUIRE(fire_all(wheel, now) == model.fire_all(now));
        REQUIRE(wheel.next_due() <= model.earliest_due());
      }
      REQUIRE(wheel.size() == model.size());
      REQUIRE(wheel.earliest_due() == model.earliest_due());
    }
    REQUIRE(fire_all(wheel, INT64_MAX) == model.fire_all(INT64_MAX));
  }
}

TEST_CASE("a sleep until the next deadline is in vain at most once per cancelled timer") {
  base::Random random(7);
  TimerWheel wheel;
  std::vector<TimerHandle> handles;
  for (int i = 0; i < 1000; ++i)
    handles.push_back(wheel.add(static_cast<std::int64_t>(random.below(100 * s)), 0, 1));
  int cancelled = 0;
  for (std::size_t i = 0; i < handles.size(); i += 2) cancelled += wheel.cancel(handles[i]) ? 1 : 0;
  int wakes = 0, fired = 0;
  for (std::int64_t due = wheel.next_due(); due != TimerWheel::never; ++wakes) {
    const std::int64_t now = due;
    due = wheel.fire_due(now, [&](const Timer& timer) {
      CHECK(timer.due_ns == now);
      ++fired;
    });
  }
  CHECK(fired == 500);
  CHECK(wakes <= fired + cancelled);
}

TEST_CASE("the listener of a shared wheel hears of a timer that is the earliest, and of no other") {
  int calls = 0;
  TimerWheel wheel([&] { ++calls; });
  wheel.add(100, 1, 1);
  CHECK(calls == 1);
  wheel.add(200, 1, 2);
  wheel.add(100, 1, 3);
  CHECK(calls == 1);
  wheel.add(50, 1, 4);
  CHECK(calls == 2);
}

TEST_CASE("the listener may look at the wheel: it is called outside the lock") {
  TimerWheel* seen = nullptr;
  std::int64_t due = 0;
  TimerWheel wheel([&] { due = seen->earliest_due(); });
  seen = &wheel;
  wheel.add(100, 1, 1);
  CHECK(due == 100);
}

TEST_CASE("of threads that set, cancel and fire in a shared wheel, each timer has one end") {
  const support::TimeLimit limit("the last timer");
  constexpr int threads = 3;
  constexpr std::uint64_t each = 3000;
  TimerWheel wheel([] {});
  std::atomic<std::uint64_t> cancelled{0}, added{0};
  std::multiset<std::uint64_t> fired;
  std::vector<std::jthread> adders;
  for (std::uint64_t t = 0; t < threads; ++t) {
    adders.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < each; ++i) {
        const auto handle = wheel.add(static_cast<std::int64_t>(i % 97), t, t * each + i);
        if (i % 2 == 0 && wheel.cancel(handle)) ++cancelled;
        ++added;
      }
    });
  }
  while (added < threads * each || wheel.size() != 0)
    wheel.fire_due(100, [&](const Timer& timer) { fired.insert(timer.token); });
  CHECK(fired.size() + cancelled == threads * each);
  CHECK(std::set<std::uint64_t>(fired.begin(), fired.end()).size() == fired.size());
}

TEST_CASE("others cancel and fire in an owner's wheel while it sets, and each timer has one end") {
  constexpr std::uint64_t all = 20'000;
  TimerWheel wheel;
  std::vector<std::atomic<int>> ends(all);
  std::vector<TimerHandle> handles(all);
  std::atomic<std::uint64_t> set{0};
  std::atomic<bool> is_over{false};
  const auto end = [&](const Timer& timer) { ++ends[timer.token]; };
  std::jthread canceller([&] {
    base::Random random(1);
    while (!is_over) {
      const std::uint64_t known = set.load();
      if (known == 0) continue;
      const std::uint64_t token = random.below(known);
      if (const auto timer = wheel.cancel_as_other(handles[token])) end(*timer);
    }
  });
  std::jthread thief([&] {
    while (!is_over) wheel.fire_due_as_other(1 * ms, end);
  });
  for (std::uint64_t token = 0; token < all; ++token) {
    handles[token] = token % 3 == 0
                         ? wheel.add_after(static_cast<std::int64_t>(token % 7), 0, token)
                         : wheel.add(static_cast<std::int64_t>(token) * 100, 0, token);
    set.store(token + 1);
    if (token % 5 == 0 && wheel.cancel(handles[token / 2])) ++ends[token / 2];
    if (token % 16 == 0) wheel.fire_due(static_cast<std::int64_t>(token) * 50, end);
  }
  is_over = true;
  canceller.join();
  thief.join();
  const std::int64_t later = base::monotonic_ns() + s;  // the thief looks at the clock itself
  wheel.fire_due(later, end);
  wheel.fire_due(later + s, end);  // timers with a delay that began at the first look
  CHECK(wheel.size() == 0);
  CHECK(std::ranges::all_of(ends, [](const auto& n) { return n == 1; }));
}

TEST_CASE("to set a timer by delay alone in a shared wheel is a bug") {
  TimerWheel wheel([] {});
  CHECK(assertion_broken_by([&] { wheel.add_after(ms, 0, 0); }) == "!is_shared_");
}

TEST_SUITE_END();

}  // namespace actord::sched
