// SPDX-License-Identifier: Apache-2.0
//
// The log path with real threads: no record is lost or reordered, and no wake-up of the sink is
// missed.
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "log/hub.hpp"
#include "support/wait.hpp"

namespace actord::log {

TEST_SUITE_BEGIN("log/hub threads");

namespace {

/// Moves by one at every look: a thread that has seen another's time gets a later one.
struct CountingClock {
  std::atomic<std::int64_t> now{0};
  log::Hub::Clock function() {
    return [this] { return now.fetch_add(1) + 1; };
  }
};

}  // namespace

TEST_CASE("whatever four threads emit at once comes out ordered by stamp and complete") {
  const support::TimeLimit limit("the last record");
  constexpr int threads = 4;
  constexpr int each = 5000;
  CountingClock clock;
  log::Hub hub(clock.function(), {.ring_bytes = 4096});
  std::vector<std::jthread> emitters;
  for (int t = 0; t < threads; ++t) {
    emitters.emplace_back([&hub, t] {
      log::Emitter& emitter = hub.attach("worker");
      for (int i = 0; i < each; ++i) {
        log::Emitter& into = i % 16 == 0 ? hub.shared() : emitter;
        into.emit(log::Level::info, "fact", "a sentence", {{"t", t}, {"i", i}});
      }
      hub.detach(emitter);
    });
  }
  std::vector<int> next(threads, 0);
  std::int64_t last_stamp = 0;
  int seen = 0;
  bool is_ordered = true;
  while (seen < threads * each) {
    hub.drain([&](const log::Record& record) {
      is_ordered = is_ordered && record.stamp_ns > last_stamp;
      last_stamp = record.stamp_ns;
      const auto t = static_cast<std::size_t>(record.fields[0].value.integer());
      is_ordered = is_ordered && record.fields[1].value.integer() == next[t];
      ++next[t];
      ++seen;
    });
    if (seen < threads * each) hub.wait_for_records();
  }
  CHECK(is_ordered);
  CHECK(hub.losses().lost_lifecycle == 0);
}

TEST_CASE("what was emitted because of another's record stands behind it") {
  const support::TimeLimit limit("the last record");
  constexpr int rounds = 5000;
  CountingClock clock;
  log::Hub hub(clock.function(), {.ring_bytes = 1 << 20});
  std::atomic<int> turn{0};
  const auto play = [&](int parity) {
    log::Emitter& emitter = hub.attach("player");
    for (int i = parity; i < rounds; i += 2) {
      while (turn.load(std::memory_order_acquire) != i) std::this_thread::yield();
      emitter.emit(log::Level::info, "turn", "", {{"i", i}});
      turn.store(i + 1, std::memory_order_release);
    }
  };
  std::jthread even(play, 0);
  std::jthread odd(play, 1);
  int expected = 0;
  bool is_ordered = true;
  while (expected < rounds) {
    hub.drain([&](const log::Record& record) {
      is_ordered = is_ordered && record.fields[0].value.integer() == expected;
      ++expected;
    });
    std::this_thread::yield();
  }
  CHECK(is_ordered);
}

TEST_CASE("a sink that sleeps without a time limit misses no record") {
  const support::TimeLimit limit("the last record");
  constexpr int rounds = 3000;
  CountingClock clock;
  log::Hub hub(clock.function());
  std::atomic<int> seen{0};
  std::jthread emitter([&] {
    for (int i = 0; i < rounds; ++i) {
      hub.shared().emit(log::Level::info, "ping", "");
      while (seen.load() != i + 1) std::this_thread::yield();
    }
  });
  while (seen.load() < rounds) {
    hub.drain([&](const log::Record&) { seen.fetch_add(1); });
    if (seen.load() < rounds) hub.wait_for_records();
  }
  CHECK(seen.load() == rounds);
}

TEST_CASE("a sink that sleeps hears of threads attached since, and of an interrupt") {
  const support::TimeLimit limit("a record of each thread, and the interrupt");
  CountingClock clock;
  log::Hub hub(clock.function());
  for (int i = 0; i < 200; ++i) {
    std::jthread worker([&] {
      log::Emitter& emitter = hub.attach("short-lived");
      emitter.emit(log::Level::info, "hello", "");
      hub.detach(emitter);
    });
    std::size_t n = 0;
    while (n == 0) {
      n = hub.drain([](const log::Record&) {});
      if (n == 0) hub.wait_for_records();
    }
  }
  std::atomic<bool> is_stopping{false};
  std::jthread stopper([&] {
    is_stopping = true;
    hub.interrupt();
  });
  while (!is_stopping) hub.wait_for_records();
  CHECK(is_stopping);
}

TEST_CASE("a dozing sink is woken by a ring that fills, and by an interrupt") {
  const support::TimeLimit limit("a wake-up by the ring, and one by the interrupt");
  CountingClock clock;
  log::Hub hub(clock.function(), {.ring_bytes = 4096});
  const auto for_ever = std::chrono::hours(1);
  std::jthread chatty([&] {
    for (int i = 0; i < 100; ++i)
      hub.shared().emit(log::Level::info, "chat", "", {}, log::Class::best_effort);
  });
  hub.doze(for_ever);
  chatty.join();
  CHECK(hub.drain([](const log::Record&) {}) > 0);
  hub.interrupt();
  hub.doze(for_ever);
  CHECK_FALSE(hub.wait_for_records());
}

TEST_SUITE_END();

}  // namespace actord::log
