// SPDX-License-Identifier: Apache-2.0
//
// One thread per task, for as long as the task exists.
#include "sched/pinned_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "support/dies.hpp"
#include "support/wait.hpp"
#include "unit/sched/job_crew.hpp"

namespace actord::sched {

TEST_SUITE_BEGIN("sched/pinned_pool");

using support::assertion_broken_by;

namespace {

const DispatcherSettings pinned{
    .name = "pinned", .kind = DispatcherSettings::Kind::pinned, .slice = {}};

}  // namespace

TEST_CASE("each task has a thread of its own, always the same") {
  constexpr std::size_t many = 6;
  constexpr int turns = 50;
  Crew crew;
  std::vector<Job> jobs(many);
  std::vector<std::set<std::thread::id>> threads(many);  // each used only on its own thread
  support::Latch done(many);
  for (std::size_t i = 0; i < many; ++i) {
    jobs[i].act = [&, i](Worker& worker) {
      threads[i].insert(std::this_thread::get_id());
      if (jobs[i].runs == turns) done.count_down();
      else if (jobs[i].runs % 2 == 0) worker.schedule(&jobs[i]);
      else worker.schedule_last(&jobs[i]);
    };
  }
  PinnedPool pool(1, pinned, crew.hooks());
  pool.start();
  CHECK(crew.attached == 0);
  for (Job& job : jobs) pool.inject(&job);
  done.wait("the last turn of the last task");
  stop(pool);
  std::set<std::thread::id> all;
  for (const auto& of_one : threads) {
    CHECK(of_one.size() == 1);
    all.insert(of_one.begin(), of_one.end());
  }
  CHECK(all.size() == many);
  CHECK(crew.attached == static_cast<int>(many));
  CHECK(crew.detached == crew.attached);
}

TEST_CASE("a worker says before each task that it becomes busy, and counts the task after it") {
  Crew crew;
  Hooks hooks = crew.hooks();
  static std::atomic<int> said;
  said = 0;
  hooks.on_busy = [](void*) { ++said; };
  PinnedPool pool(1, pinned, hooks);
  pool.start();
  std::vector<std::uint64_t> runs;
  support::Latch done(2);
  Job job;
  job.act = [&](Worker& worker) {
    runs.push_back(worker.runs.load());
    if (runs.size() == 1) worker.schedule(&job);
    done.count_down();
  };
  pool.inject(&job);
  done.wait("the second turn");
  stop(pool);
  CHECK(said == 2);
  CHECK(runs == std::vector<std::uint64_t>{0, 1});
}

TEST_CASE("a task that blocks holds up no other task") {
  constexpr std::size_t many = 8;
  Crew crew;
  std::vector<Job> jobs(many);
  support::Latch all_inside(many), done(many);
  for (Job& job : jobs) {
    job.act = [&](Worker&) {
      all_inside.arrive_and_wait("as many threads as tasks");
      done.count_down();
    };
  }
  PinnedPool pool(1, pinned, crew.hooks());
  for (Job& job : jobs) pool.inject(&job);
  done.wait("the last task");
  stop(pool);
}

TEST_CASE(
    "a task's thread ends when the task is retired, and another begins when it is used again") {
  Crew crew;
  PinnedPool pool(1, pinned, crew.hooks());
  Job job;
  for (int round = 1; round <= 3; ++round) {
    CAPTURE(round);
    support::Latch done(1);
    job.act = [&](Worker&) { done.count_down(); };
    pool.inject(&job);
    done.wait("the task");
    pool.retire(&job);
    support::wait_until([&] { return crew.detached == round; }, "the end of the thread");
    CHECK(crew.attached == round);
  }
  pool.retire(&job);  // the pool does not know it
  stop(pool);
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
  PinnedPool pool(1, pinned, crew.hooks());
  pool.inject(&running);
  has_begun.wait("the task");
  std::jthread stopper([&] { stop(pool); });
  may_end.count_down();
  stopper.join();
  CHECK(has_ended);
  pool.inject(&late);
  pool.retire(&running);
  stop(pool);
  CHECK(late.runs == 0);
}

namespace {

/// The assertion that fails when `deed` is done to a pool with a job that runs and is queued again.
template <class Deed>
std::string broken_with_queued_job(Deed&& deed) {
  return assertion_broken_by([&] {
    Crew crew;
    PinnedPool pool(1, pinned, crew.hooks());
    support::Latch has_begun(1), never(1);
    Job job;
    job.act = [&](Worker&) {
      has_begun.count_down();
      never.wait("the end of the process");
    };
    pool.inject(&job);
    has_begun.wait("the task");
    pool.inject(&job);
    deed(pool, job);
  });
}

}  // namespace

TEST_CASE("to inject a task that is queued, or to retire it, is a bug") {
  CHECK(broken_with_queued_job([](PinnedPool& pool, Job& job) { pool.inject(&job); }) ==
        "!is_queued(*slot, task)");
  CHECK(broken_with_queued_job([](PinnedPool& pool, Job& job) { pool.retire(&job); }) ==
        "!is_queued(*at->second, task)");
}

TEST_CASE("a worker that keeps a task for itself is a bug") {
  CHECK(assertion_broken_by([&] {
          Crew crew;
          PinnedPool pool(1, pinned, crew.hooks());
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
