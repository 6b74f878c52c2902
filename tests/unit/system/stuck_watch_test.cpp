// SPDX-License-Identifier: Apache-2.0
#include "system/stuck_watch.hpp"

#include <doctest/doctest.h>

namespace actord::system {

TEST_SUITE_BEGIN("system/stuck_watch");

namespace {

constexpr std::int64_t ms = 1'000'000, second = 1000 * ms;
constexpr std::uint16_t pool = 1, blocking = 2, pinned = 3;

/// Workers that a case lets run and rest, and a clock that it sets.
struct Scene {
  Scene() {
    using Kind = sched::DispatcherSettings::Kind;
    activity.dispatchers = {{},
                            {"default", Kind::pool, second},
                            {"blocking-io", Kind::blocking, 30 * second},
                            {"pinned", Kind::pinned, 30 * second}};
  }

  WorkerActivity& worker(std::uint64_t number, std::uint16_t dispatcher = pool) {
    for (WorkerActivity& each : activity.workers) {
      if (each.worker == number) return each;
    }
    return activity.workers.emplace_back(
        WorkerActivity{number, dispatcher, static_cast<int>(100 + number)});
  }
  void begin_task(std::uint64_t number) { worker(number).is_busy = true; }
  void end_task(std::uint64_t number) {
    worker(number).is_busy = false;
    ++worker(number).progress;
  }
  StuckWatch::Changes look_after(std::int64_t ns) {
    now_ns += ns;
    return watch.look(activity, now_ns);
  }
  /// Looks once a second for that long, and returns what was starved.
  std::size_t starved_within(std::int64_t ns) {
    std::size_t starved = 0;
    for (; ns > second; ns -= second) starved += look_after(second).starved.size();
    return starved + look_after(ns).starved.size();
  }
  /// Looks four times a second for that long, and returns how many tasks have become stuck.
  std::size_t stuck_within(std::int64_t ns) {
    std::size_t stuck = 0;
    for (std::int64_t passed = 0; passed < ns; passed += 250 * ms)
      stuck += look_after(250 * ms).stuck.size();
    return stuck;
  }

  Activity activity;
  StuckWatch watch;
  std::int64_t now_ns = 5 * second;
};

}  // namespace

TEST_CASE("a task that runs for the timeout of its dispatcher is stuck, and that is said once") {
  Scene scene;
  scene.worker(1);
  scene.begin_task(2);
  CHECK(scene.look_after(0).stuck.empty());
  CHECK(scene.look_after(second - 1).stuck.empty());
  const auto changes = scene.look_after(1);
  REQUIRE(changes.stuck.size() == 1);
  CHECK(changes.stuck[0].of.worker == 2);
  CHECK(changes.stuck[0].of.thread_id == 102);
  CHECK(changes.stuck[0].since_ns == 5 * second);
  CHECK(scene.stuck_within(60 * second) == 0);
}

TEST_CASE("a stuck task is over when it has ended, even if the next one runs already") {
  Scene scene;
  scene.begin_task(1);
  CHECK(scene.stuck_within(2 * second) == 1);
  scene.end_task(1);
  scene.begin_task(1);
  const auto changes = scene.look_after(250 * ms);
  REQUIRE(changes.unstuck.size() == 1);
  CHECK(changes.unstuck[0].of.worker == 1);
  CHECK(changes.stuck.empty());
  SUBCASE("the next task becomes stuck by itself") {
    CHECK(scene.stuck_within(750 * ms) == 0);
    CHECK(scene.stuck_within(250 * ms) == 1);
  }
  SUBCASE("an end is reported once") {
    scene.end_task(1);
    CHECK(scene.look_after(250 * ms).unstuck.empty());
  }
}

TEST_CASE("a stuck task is over when its worker has ended") {
  Scene scene;
  scene.begin_task(1);
  CHECK(scene.stuck_within(2 * second) == 1);
  scene.activity.workers.clear();
  CHECK(scene.look_after(250 * ms).unstuck.size() == 1);
}

TEST_CASE("many short tasks and many short messages are not stuck, however busy the worker is") {
  Scene scene;
  scene.begin_task(1);
  for (int i = 0; i < 100; ++i) {
    ++scene.worker(1).progress;
    CHECK(scene.look_after(900 * ms).stuck.empty());
  }
}

TEST_CASE("a worker that rests for long is not stuck, nor is the task that it begins then") {
  Scene scene;
  scene.worker(1);
  CHECK(scene.stuck_within(100 * second) == 0);
  scene.begin_task(1);
  CHECK(scene.stuck_within(second) == 0);
  CHECK(scene.stuck_within(250 * ms) == 1);
}

TEST_CASE("each dispatcher has its own timeout, which may change or be off") {
  Scene scene;
  scene.worker(1, blocking).is_busy = true;
  scene.worker(2, pinned).is_busy = true;
  CHECK(scene.stuck_within(30 * second) == 0);
  CHECK(scene.stuck_within(250 * ms) == 2);
  scene.activity.dispatchers[pool].stuck_timeout_ns = 0;
  scene.begin_task(3);
  CHECK(scene.stuck_within(100 * second) == 0);
  scene.activity.dispatchers[pool].stuck_timeout_ns = 5 * second;
  CHECK(scene.stuck_within(250 * ms) == 1);
}

TEST_CASE("a look is quiet if no task runs and none has run since the look before") {
  Scene scene;
  scene.worker(1);
  CHECK_FALSE(scene.look_after(0).is_quiet);  // the worker may have run before it was first seen
  CHECK(scene.look_after(250 * ms).is_quiet);
  scene.begin_task(1);
  scene.end_task(1);
  CHECK_FALSE(scene.look_after(250 * ms).is_quiet);
  CHECK(scene.look_after(250 * ms).is_quiet);
  scene.begin_task(1);
  CHECK_FALSE(scene.look_after(250 * ms).is_quiet);
}

TEST_CASE("of the tasks on pools the oldest one is found, and no task of another dispatcher") {
  Scene scene;
  scene.worker(1, blocking).is_busy = true;
  scene.worker(2, pinned).is_busy = true;
  scene.look_after(0);
  CHECK_FALSE(scene.watch.oldest_on_pools());
  scene.begin_task(3);
  scene.look_after(second);
  scene.begin_task(4);
  scene.look_after(second);
  REQUIRE(scene.watch.oldest_on_pools());
  CHECK(scene.watch.oldest_on_pools()->of.worker == 3);
  CHECK(scene.watch.oldest_on_pools()->since_ns == 6 * second);
  scene.end_task(3);
  scene.look_after(second);
  CHECK(scene.watch.oldest_on_pools()->of.worker == 4);
}

TEST_CASE("a dispatcher is starved when tasks wait and no thread has become free for the timeout") {
  Scene scene;
  scene.worker(1, blocking).is_busy = true;
  scene.worker(2, blocking).is_busy = true;
  scene.look_after(0);
  scene.activity.dispatchers[blocking].waiting = 3;
  CHECK(scene.starved_within(30 * second - 1) == 0);
  CHECK(scene.look_after(1).starved.empty());  // a thread may just be starting for the task
  const auto changes = scene.look_after(250 * ms);
  REQUIRE(changes.starved.size() == 1);
  CHECK(changes.starved[0].dispatcher == blocking);
  CHECK(changes.starved[0].threads == 2);
  CHECK(changes.starved[0].waiting == 3);
  CHECK(changes.starved[0].since_ns == 5 * second);
  CHECK(scene.look_after(250 * ms).starved.empty());
  SUBCASE("it has recovered when a thread takes another task") {
    scene.end_task(2);
    scene.begin_task(2);
    CHECK(scene.look_after(250 * ms).recovered.size() == 1);
    CHECK(scene.look_after(250 * ms).recovered.empty());
  }
  SUBCASE("it has recovered when no task waits any more") {
    scene.activity.dispatchers[blocking].waiting = 0;
    CHECK(scene.look_after(250 * ms).recovered.size() == 1);
  }
}

TEST_CASE("a dispatcher that can have no thread is starved when tasks wait for the timeout") {
  Scene scene;
  scene.activity.dispatchers[blocking].waiting = 1;
  const auto first = scene.look_after(0);
  CHECK(first.starved.empty());
  CHECK_FALSE(first.is_quiet);  // the next look tries to start a thread
  CHECK(scene.starved_within(30 * second - 1) == 0);
  const auto changes = scene.look_after(1);
  REQUIRE(changes.starved.size() == 1);
  CHECK(changes.starved[0].dispatcher == blocking);
  CHECK(changes.starved[0].threads == 0);
  CHECK(changes.starved[0].since_ns == 5 * second);
  CHECK(scene.look_after(250 * ms).starved.empty());
  scene.activity.dispatchers[blocking].waiting = 0;
  const auto later = scene.look_after(250 * ms);
  CHECK(later.recovered.size() == 1);
  CHECK(later.is_quiet);
}

TEST_CASE("the time in which the process or its machine was stopped is no task's") {
  Scene scene;
  scene.begin_task(1);
  scene.worker(2, blocking).is_busy = true;
  scene.activity.dispatchers[blocking].waiting = 1;
  scene.look_after(0);
  CHECK(scene.stuck_within(750 * ms) == 0);
  const auto changes = scene.look_after(3600 * second);
  CHECK(changes.stuck.empty());
  CHECK(changes.starved.empty());
  CHECK(scene.watch.looked_ns() - scene.watch.oldest_on_pools()->since_ns == 750 * ms);
  CHECK(scene.look_after(250 * ms).stuck.size() == 1);
}

TEST_CASE("a dispatcher whose tasks wait is not starved while one of its threads takes others") {
  Scene scene;
  scene.worker(1, blocking).is_busy = true;
  scene.worker(2, blocking).is_busy = true;
  scene.activity.dispatchers[blocking].waiting = 3;
  for (int i = 0; i < 100; ++i) {
    ++scene.worker(2).progress;
    CHECK(scene.look_after(second).starved.empty());
  }
}

TEST_SUITE_END();

}  // namespace actord::system
