// SPDX-License-Identifier: Apache-2.0
//
// A pool that grows while its tasks block, up to its limit, and shrinks again.
#include "sched/blocking_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "support/dies.hpp"
#include "support/wait.hpp"
#include "unit/sched/job_crew.hpp"

namespace actord::sched {

TEST_SUITE_BEGIN("sched/blocking_pool");

using support::assertion_broken_by;

namespace {

DispatcherSettings threads(unsigned least, unsigned most,
                           std::int64_t keep_alive_ns = 1'000'000'000) {
  return {.name = "blocking-io",
          .kind = DispatcherSettings::Kind::blocking,
          .threads_min = least,
          .threads_max = most,
          .keep_alive_ns = keep_alive_ns,
          .slice = {1, 0}};
}

}  // namespace

TEST_CASE("every injected task runs once") {
  constexpr std::size_t many = 5000;
  Crew crew;
  std::vector<Job> jobs(many);
  support::Latch done(many);
  for (Job& job : jobs) job.act = [&](Worker&) { done.count_down(); };
  BlockingPool pool(1, threads(1, 4), crew.hooks());
  pool.start();
  {
    std::vector<std::jthread> outside;
    for (std::size_t t = 0; t < 3; ++t) {
      outside.emplace_back([&, t] {
        for (std::size_t i = t; i < many; i += 3) pool.inject(&jobs[i]);
      });
    }
  }
  done.wait("the last task");
  stop(pool);
  CHECK(std::ranges::all_of(jobs, [](const Job& job) { return job.runs == 1; }));
  CHECK(crew.attached <= 4);
  CHECK(crew.detached == crew.attached);
}

TEST_CASE("tasks that block run side by side, as many as there may be threads") {
  constexpr unsigned most = 8;
  Crew crew;
  std::vector<Job> jobs(most);
  support::Latch all_inside(most), done(most);
  for (Job& job : jobs) {
    job.act = [&](Worker&) {
      // no task passes before the last one is in
      all_inside.arrive_and_wait("as many threads as tasks");
      done.count_down();
    };
  }
  BlockingPool pool(1, threads(1, most), crew.hooks());
  pool.start();
  for (Job& job : jobs) pool.inject(&job);
  done.wait("the last task");
  CHECK(crew.attached == most);
  stop(pool);
  CHECK(crew.detached == most);
}

TEST_CASE("more than that wait for their turn") {
  Crew crew;
  std::vector<Job> jobs(10);
  support::Latch may_go(1), done(10);
  std::atomic<int> inside{0}, most_inside{0};
  for (Job& job : jobs) {
    job.act = [&](Worker&) {
      const int now = ++inside;
      int most = most_inside;
      while (most < now && !most_inside.compare_exchange_weak(most, now)) {}
      may_go.wait("the last inject()");
      --inside;
      done.count_down();
    };
  }
  BlockingPool pool(1, threads(0, 3), crew.hooks());
  pool.start();
  for (Job& job : jobs) pool.inject(&job);
  may_go.count_down();
  done.wait("the last task");
  stop(pool);
  CHECK(most_inside <= 3);
  CHECK(crew.attached <= 3);
}

TEST_CASE("tasks wait for a thread only while all threads that there may be are busy") {
  Crew crew;
  std::vector<Job> jobs(5);
  support::Latch all_inside(2), may_go(1), done(5);
  for (Job& job : jobs) {
    job.act = [&](Worker&) {
      if (!all_inside.try_wait()) all_inside.count_down();
      may_go.wait("the look");
      done.count_down();
    };
  }
  BlockingPool pool(1, threads(0, 2), crew.hooks());
  pool.start();
  CHECK(pool.waiting_for_thread() == 0);
  for (Job& job : jobs) pool.inject(&job);
  all_inside.wait("two tasks that run");
  CHECK(pool.waiting_for_thread() == 3);
  may_go.count_down();
  done.wait("the last task");
  CHECK(pool.waiting_for_thread() == 0);
  stop(pool);
}

TEST_CASE("a worker says before each task that it becomes busy, and counts the task after it") {
  Crew crew;
  Hooks hooks = crew.hooks();
  static std::atomic<int> said;
  said = 0;
  hooks.on_busy = [](void*) { ++said; };
  BlockingPool pool(1, threads(1, 1), hooks);
  pool.start();
  int said_before = 0;
  std::uint64_t runs_before = 9, runs_after = 9;
  support::Latch first_done(1), second_done(1);
  Job first, second;
  first.act = [&](Worker& worker) {
    said_before = said;
    runs_before = worker.runs.load();
    first_done.count_down();
  };
  second.act = [&](Worker& worker) {
    runs_after = worker.runs.load();
    second_done.count_down();
  };
  pool.inject(&first);
  first_done.wait("the first task");
  pool.inject(&second);
  second_done.wait("the second task");
  stop(pool);
  CHECK(said_before == 1);
  CHECK(said == 2);
  CHECK(runs_before == 0);
  CHECK(runs_after == 1);
}

TEST_CASE("a pool without work has no threads until the first task comes") {
  Crew crew;
  BlockingPool pool(1, threads(2, 4), crew.hooks());
  pool.start();
  CHECK(crew.attached == 0);
  support::Latch done(1);
  Job job;
  job.act = [&](Worker&) { done.count_down(); };
  pool.inject(&job);
  done.wait("the task");
  CHECK(crew.attached == 1);
  stop(pool);
}

TEST_CASE("threads beyond the least end when they have been idle long enough, and come again") {
  constexpr int most = 4;
  Crew crew;
  BlockingPool pool(1, threads(1, most, 1), crew.hooks());
  pool.start();
  for (int round = 1; round <= 3; ++round) {
    CAPTURE(round);
    std::vector<Job> jobs(most);
    support::Latch all_inside(most), done(most);
    for (Job& job : jobs) {
      job.act = [&](Worker&) {
        all_inside.arrive_and_wait("as many threads as tasks");
        done.count_down();
      };
    }
    for (Job& job : jobs) pool.inject(&job);
    done.wait("the last task");
    support::wait_until([&] { return crew.attached - crew.detached <= 1; },
                        "the end of the other threads");
    CHECK(crew.attached - crew.detached == 1);
  }
  stop(pool);
  CHECK(crew.attached == crew.detached);
}

TEST_CASE("a little work now and then keeps one thread busy, and the others end") {
  constexpr int most = 4;
  Crew crew;
  BlockingPool pool(1, threads(1, most, 30'000'000), crew.hooks());
  pool.start();
  std::vector<Job> jobs(most);
  support::Latch all_inside(most);
  for (Job& job : jobs)
    job.act = [&](Worker&) { all_inside.arrive_and_wait("as many threads as tasks"); };
  for (Job& job : jobs) pool.inject(&job);
  all_inside.wait("as many threads as tasks");
  Job now_and_then;
  int injected = 0;
  const support::TimeLimit limit("the end of the other threads");
  // If the threads took turns, each would get work before it ends.
  while (crew.attached - crew.detached > 1) {
    if (now_and_then.runs == injected) {
      ++injected;
      pool.inject(&now_and_then);
    }
    // The pace of the work, at which the thread falls asleep between two tasks.
    static_cast<void>(crew.left.try_acquire_for(std::chrono::milliseconds{2}));
  }
  stop(pool);
  CHECK(crew.attached == crew.detached);
}

TEST_CASE("what a worker schedules goes to all of them") {
  Crew crew;
  BlockingPool pool(1, threads(1, 2), crew.hooks());
  pool.start();
  support::Latch helped(1), done(1);
  Job first, second;
  second.act = [&](Worker&) { helped.count_down(); };
  first.act = [&](Worker& worker) {
    CHECK(worker.home().is_shared());
    worker.schedule(&second);
    helped.wait("the scheduled task");  // blocks this thread, so it must run on another
    done.count_down();
  };
  pool.inject(&first);
  done.wait("the blocked task");
  stop(pool);
  CHECK(second.runs == 1);
}

TEST_CASE("stop waits for what runs, and what comes later is not run") {
  Crew crew;
  support::Latch has_begun(1), may_end(1);
  Job running, late;
  std::atomic<bool> has_ended{false};
  running.act = [&](Worker&) {
    has_begun.count_down();
    may_end.wait("the thread that stops the pool");
    has_ended = true;
  };
  BlockingPool pool(1, threads(1, 1), crew.hooks());
  pool.start();
  pool.inject(&running);
  has_begun.wait("the task");
  std::jthread stopper([&] { stop(pool); });
  may_end.count_down();
  stopper.join();
  CHECK(has_ended);
  pool.inject(&late);
  stop(pool);
  CHECK(late.runs == 0);
  CHECK(crew.attached == 1);
  CHECK(crew.detached == 1);
}

TEST_CASE("to inject a task twice in a row is a bug") {
  Crew crew;
  CHECK(assertion_broken_by([&] {
          BlockingPool pool(1, threads(1, 1), crew.hooks());
          support::Latch has_begun(1), never(1);
          Job busy, job;
          busy.act = [&](Worker&) {
            has_begun.count_down();
            never.wait("the end of the process");
          };
          pool.inject(&busy);
          has_begun.wait("the task");
          pool.inject(&job);
          pool.inject(&job);
        }) == "tasks_.empty() || tasks_.back() != task");
}

TEST_CASE("a worker that keeps a task for itself is a bug") {
  Crew crew;
  CHECK(assertion_broken_by([&] {
          BlockingPool pool(1, threads(1, 1), crew.hooks());
          support::Latch done(1);
          Job job, kept;
          job.act = [&](Worker& worker) {
            worker.queue.push_newest(&kept);
            done.count_down();
          };
          pool.inject(&job);
          done.wait("the task");
          pool.stop();
        }) == "slot.worker.queue.is_empty()");
}

TEST_SUITE_END();

}  // namespace actord::sched
