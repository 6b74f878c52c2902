// SPDX-License-Identifier: Apache-2.0
#include "sched/thread_executor.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "support/dies.hpp"
#include "support/wait.hpp"

namespace actord::sched {

TEST_SUITE_BEGIN("sched/thread_executor");

using support::assertion_broken_by;

namespace {

struct Job : Task {
  std::function<void(Worker&)> act;
};

Hooks plain_hooks() {
  return {nullptr, [](void*, Worker& worker) -> void* { return &worker; }, [](void*, void*) {},
          [](void* thread_state, Task* task) {
            static_cast<Job*>(task)->act(*static_cast<Worker*>(thread_state));
          }};
}

DispatcherSettings pool_of(unsigned count) {
  return {.name = "pool", .threads_min = count, .slice = {}};
}

DispatcherSettings blocking_of(unsigned most) {
  return {.name = "blocking-io",
          .kind = DispatcherSettings::Kind::blocking,
          .threads_max = most,
          .slice = {1, 0}};
}

void stop(ThreadExecutor& executor) {
  const support::TimeLimit limit("the stop of all threads");
  executor.stop();
}

}  // namespace

TEST_CASE("dispatchers are numbered from one, in the order of adding") {
  ThreadExecutor executor;
  CHECK(executor.add(pool_of(1), plain_hooks()).id() == 1);
  Dispatcher& blocking = executor.add(blocking_of(1), plain_hooks());
  CHECK(blocking.id() == 2);
  CHECK(blocking.is_shared());
  CHECK(executor.add(pool_of(1), plain_hooks()).id() == 3);
}

TEST_CASE("a task on one dispatcher can hand over to another, and back") {
  ThreadExecutor executor;
  Dispatcher& pool = executor.add(pool_of(1), plain_hooks());
  Dispatcher& blocking = executor.add(blocking_of(2), plain_hooks());
  executor.start([](const Timer&) {});
  support::Latch done(1);
  int left = 1000;  // plain: one of the two tasks uses it at a time
  Job here, there;
  here.act = [&](Worker& worker) {
    CHECK(worker.home().id() == pool.id());
    blocking.inject(&there);
  };
  there.act = [&](Worker& worker) {
    CHECK(worker.home().id() == blocking.id());
    if (--left == 0) done.count_down();
    else pool.inject(&here);
  };
  pool.inject(&here);
  done.wait("the last task");
  stop(executor);
  CHECK(left == 0);
}

TEST_CASE("timers fire on time, in order, and not if they are cancelled") {
  ThreadExecutor executor;
  support::Latch done(3);
  std::vector<std::uint64_t> fired;
  std::vector<std::int64_t> late_ns;
  // Set before the clock runs, so that no delay of this thread changes their order.
  const std::int64_t start = executor.now_ns();
  TimerWheel& timers = executor.timers();
  timers.add(start + 15'000'000, 0, 3);
  const auto cancelled = timers.add(start + 8'000'000, 0, 9);
  timers.add(start + 10'000'000, 0, 2);
  timers.add(start + 1'000'000, 0, 1);
  CHECK(timers.cancel(cancelled));
  executor.start([&](const Timer& timer) {
    fired.push_back(timer.token);  // only on the time thread
    late_ns.push_back(executor.now_ns() - timer.due_ns);
    done.count_down();
  });
  done.wait("the last timer");
  stop(executor);
  CHECK(fired == std::vector<std::uint64_t>{1, 2, 3});
  for (const std::int64_t late : late_ns) CHECK(late >= 0);
}

TEST_CASE("a timer that is set by a timer fires too") {
  ThreadExecutor executor;
  support::Latch done(50);
  executor.start([&](const Timer& timer) {
    executor.timers().add(timer.due_ns + 10'000, 0, timer.token + 1);
    if (timer.token < 50) done.count_down();
  });
  executor.timers().add(executor.now_ns(), 0, 0);
  done.wait("the last timer");
  stop(executor);
}

TEST_CASE("no timer fires after the stop") {
  ThreadExecutor executor;
  std::atomic<int> fired{0};
  executor.start([&](const Timer&) { ++fired; });
  executor.timers().add(executor.now_ns() + 3'600'000'000'000, 0, 1);
  stop(executor);
  const int before = fired;
  executor.timers().add(executor.now_ns() - 1, 0, 2);
  CHECK(fired == before);
  CHECK(before == 0);
}

TEST_CASE("an executor that never started can be stopped, twice too") {
  ThreadExecutor executor;
  executor.add(pool_of(1), plain_hooks());
  stop(executor);
  stop(executor);
}

TEST_CASE("each seed is another") {
  ThreadExecutor executor;
  const std::uint64_t first = executor.seed();
  CHECK(executor.seed() != first);
}

TEST_CASE("an executor starts once, not after its stop, and with all its dispatchers") {
  CHECK(assertion_broken_by([] {
          ThreadExecutor executor;
          executor.start([](const Timer&) {});
          executor.start([](const Timer&) {});
        }) == "!clock_.joinable()");
  CHECK(assertion_broken_by([] {
          ThreadExecutor executor;
          executor.stop();
          executor.start([](const Timer&) {});
        }) == "!is_stopping_.load(base::relaxed)");
  CHECK(assertion_broken_by([] {
          ThreadExecutor executor;
          executor.start([](const Timer&) {});
          executor.add(pool_of(1), plain_hooks());
        }) == "!clock_.joinable()");
}

TEST_SUITE_END();

}  // namespace actord::sched
