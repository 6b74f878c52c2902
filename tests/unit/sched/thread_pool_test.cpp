// SPDX-License-Identifier: Apache-2.0
//
// Workers that are threads: every task runs once, on any worker, and no worker waits for ever.
#include "sched/thread_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "sched/thread_executor.hpp"
#include "support/dies.hpp"
#include "support/wait.hpp"
#include "unit/sched/job_crew.hpp"

namespace actord::sched {

TEST_SUITE_BEGIN("sched/thread_pool");

using support::assertion_broken_by;

namespace {

DispatcherSettings threads(unsigned count) {
  return {.name = "pool", .threads_min = count, .slice = {}};
}

bool all_ran_once(const std::vector<Job>& jobs) {
  return std::ranges::all_of(jobs, [](const Job& job) { return job.runs == 1; });
}

}  // namespace

TEST_CASE("every injected task runs once") {
  constexpr int many = 20'000, injectors = 3;
  Crew crew;
  std::vector<Job> jobs(many);
  support::Latch done(many);
  for (Job& job : jobs) job.act = [&](Worker&) { done.count_down(); };
  ThreadPool pool(1, threads(3), crew.hooks());
  pool.start();
  {
    std::vector<std::jthread> outside;
    for (int t = 0; t < injectors; ++t) {
      outside.emplace_back([&, t] {
        for (int i = t; i < many; i += injectors) pool.inject(&jobs[static_cast<std::size_t>(i)]);
      });
    }
  }
  done.wait("the last task");
  stop(pool);
  CHECK(all_ran_once(jobs));
}

TEST_CASE("tasks that workers push themselves run once, however they spread") {
  constexpr std::size_t many = 1 << 14;
  Crew crew;
  std::vector<Job> jobs(many);
  support::Latch done(many);
  for (std::size_t i = 0; i < many; ++i) {
    jobs[i].act = [&, i](Worker& worker) {
      for (const std::size_t child : {2 * i + 1, 2 * i + 2}) {
        if (child >= many) continue;
        if (child % 5 == 0) worker.schedule_last(&jobs[child]);
        else worker.schedule(&jobs[child]);
      }
      done.count_down();
    };
  }
  ThreadPool pool(1, threads(2), crew.hooks());
  pool.start();
  pool.inject(&jobs[0]);
  done.wait("the last task");
  stop(pool);
  CHECK(all_ran_once(jobs));
}

TEST_CASE("tasks that are injected before the start run after it") {
  Crew crew;
  std::vector<Job> jobs(100);
  support::Latch done(100);
  for (Job& job : jobs) job.act = [&](Worker&) { done.count_down(); };
  ThreadPool pool(1, threads(2), crew.hooks());
  for (Job& job : jobs) pool.inject(&job);
  pool.start();
  done.wait("the last task");
  stop(pool);
  CHECK(all_ran_once(jobs));
}

TEST_CASE("sleepers wake for each task, one after the other") {
  Crew crew;
  ThreadPool pool(1, threads(2), crew.hooks());
  pool.start();
  for (int i = 0; i < 2000; ++i) {
    support::Latch done(1);
    Job job;
    job.act = [&](Worker&) { done.count_down(); };
    pool.inject(&job);
    done.wait("the task");
  }
  stop(pool);
}

TEST_CASE("what waits behind a task that does not end is run by another worker") {
  constexpr std::size_t behind = 5;
  Crew crew;
  ThreadPool pool(1, threads(2), crew.hooks());
  pool.start();
  std::vector<Job> jobs(behind);
  support::Latch others(behind), end(1);
  for (Job& job : jobs) job.act = [&](Worker&) { others.count_down(); };
  Job stuck;
  stuck.act = [&](Worker& worker) {
    for (Job& job : jobs) worker.schedule(&job);
    others.wait("the tasks behind this one");  // goes on only when all the others have run
    end.count_down();
  };
  pool.inject(&stuck);
  end.wait("the stuck task");
  stop(pool);
  CHECK(all_ran_once(jobs));
}

TEST_CASE("the output that a long task buffers is flushed again and again") {
  constexpr int enough = 3;
  static std::atomic<Worker*> stuck_on;
  static std::atomic<int> flushes, wrong;
  stuck_on = nullptr;
  flushes = wrong = 0;
  Crew crew;
  Hooks hooks = crew.hooks();
  hooks.flush_stuck = [](void* thread_state, void* other_thread_state) {
    // Once the task has ended, its worker may find the other worker slow in this hook.
    if (flushes < enough && (other_thread_state != stuck_on || thread_state == other_thread_state))
      ++wrong;
    ++flushes;
  };
  ThreadPool pool(1, threads(2), hooks);
  CHECK(pool.flushes_stuck());
  pool.start();
  support::Latch end(1);
  Job stuck;
  stuck.act = [&](Worker& worker) {
    stuck_on = &worker;
    worker.ensure_watcher();
    support::wait_until([] { return flushes >= enough; }, "three flushes");
    end.count_down();
  };
  pool.inject(&stuck);
  end.wait("the stuck task");
  stop(pool);
  CHECK(wrong == 0);
}

TEST_CASE("a task is relieved even where all workers were asleep when it came") {
  constexpr std::uint64_t rounds = 5;
  Crew crew;
  ThreadExecutor executor;
  Dispatcher& pool = executor.add(threads(2), crew.hooks());
  // Before each round there is time enough for every worker to fall asleep without a deadline.
  const auto begin = [&](std::uint64_t round) {
    executor.timers().add(executor.now_ns() + 10'000'000, 0, round);
  };
  std::vector<Job> stuck(rounds), behind(rounds);
  std::vector<std::unique_ptr<support::Latch>> helped;
  support::Latch end(1);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    helped.push_back(std::make_unique<support::Latch>(1));
    behind[i].act = [&, i](Worker&) { helped[i]->count_down(); };
    stuck[i].act = [&, i](Worker& worker) {
      worker.schedule(&behind[i]);
      helped[i]->wait("the task behind this one");
      if (i + 1 < rounds) begin(i + 1);
      else end.count_down();
    };
  }
  executor.start([&](const Timer& timer) { pool.inject(&stuck[timer.token]); });
  begin(0);
  end.wait("the last stuck task");
  stop(executor);
  CHECK(all_ran_once(behind));
}

TEST_CASE("a long queue of long tasks is shared") {
  constexpr std::size_t many = 200;
  Crew crew;
  ThreadPool pool(1, threads(2), crew.hooks());
  std::vector<Job> jobs(many);
  std::array<std::atomic<int>, 2> by{};
  support::Latch done(many);
  for (Job& job : jobs) {
    job.act = [&](Worker& worker) {
      ++by[worker.index()];
      for (const std::int64_t end = base::monotonic_ns() + 100'000; base::monotonic_ns() < end;) {}
      done.count_down();
    };
  }
  // On a busy machine the other worker may get no CPU before the short tasks are over.
  jobs[many / 2].act = [&](Worker& worker) {
    ++by[worker.index()];
    support::wait_until([&] { return by[0] > 0 && by[1] > 0; }, "a task on each worker");
    done.count_down();
  };
  Job first;
  first.act = [&](Worker& worker) {
    for (Job& job : jobs) worker.schedule(&job);
  };
  pool.start();
  pool.inject(&first);
  done.wait("the last task");
  stop(pool);
  CHECK(all_ran_once(jobs));
  CHECK(by[0] > 0);
  CHECK(by[1] > 0);
  CHECK(pool.counts().steals > 0);
}

// One worker, the observer, is the only one that has to trim. So it wakes when it has slept for the
// time after which a worker trims, a second, while the others sleep until they are woken.
TEST_CASE("a pool that has nothing to do sleeps") {
  static const ThreadPool* watched;
  static std::atomic<bool> has_observer{false};
  static support::Latch slept{1};
  static thread_local bool is_observer = false;
  static thread_local std::uint64_t parks = 0, parks_before = 0;  // at the last two needs_trim()
  Crew crew;
  Hooks hooks = crew.hooks();
  hooks.needs_trim = [](void*) {  // called before each park, and after the one that ends in trim
    if (!has_observer.exchange(true)) is_observer = true;
    parks_before = std::exchange(parks, watched->counts().parks);
    return is_observer;
  };
  hooks.trim = [](void*) {
    // since the observer fell asleep, its own park is the only one
    if (parks == parks_before + 1 && !slept.try_wait()) slept.count_down();
  };
  ThreadPool pool(1, threads(3), hooks);
  watched = &pool;
  support::Latch done(1);
  Job job;
  job.act = [&](Worker&) { done.count_down(); };
  pool.start();
  pool.inject(&job);
  done.wait("the task");
  slept.wait("a second in which no worker wakes");
  stop(pool);
}

TEST_CASE("a worker that would sleep on after a while without work tidies up first, once") {
  static std::atomic<bool> needs_trim{true};
  static support::Latch tidied{1};  // a second count-down ends the process
  Crew crew;
  Hooks hooks = crew.hooks();
  hooks.needs_trim = [](void*) { return needs_trim.load(); };
  hooks.trim = [](void*) {
    needs_trim = false;
    tidied.count_down();
  };
  ThreadPool pool(1, threads(3), hooks);
  pool.start();
  tidied.wait("the trim");
  CHECK_FALSE(needs_trim.load());
  stop(pool);
}

TEST_CASE("a worker that has waited says that it becomes busy, but not between two tasks") {
  Crew crew;
  Hooks hooks = crew.hooks();
  static std::atomic<int> said;
  said = 0;
  hooks.on_busy = [](void*) { ++said; };
  ThreadPool pool(1, threads(1), hooks);
  pool.start();
  support::wait_until([&] { return pool.counts().parks != 0; }, "a worker that sleeps");
  for (int round = 1; round <= 20; ++round) {
    CAPTURE(round);
    const std::uint64_t parks = pool.counts().parks;
    const int before = said;
    int said_at_begin = 0, said_at_end = 0;
    support::Latch done(1);
    Job first, last;
    first.act = [&](Worker& worker) {
      said_at_begin = said;
      worker.schedule(&last);
    };
    last.act = [&](Worker&) {
      said_at_end = said;
      done.count_down();
    };
    pool.inject(&first);
    done.wait("the tasks");
    CHECK(said_at_begin == before + 1);
    CHECK(said_at_end == before + 1);
    support::wait_until([&] { return pool.counts().parks > parks; }, "a worker that sleeps");
  }
  stop(pool);
}

TEST_CASE("timers of a worker that is stuck are fired by another one") {
  struct Seats {
    std::atomic<int> attached{0};
    support::Latch fired{1};
    std::atomic<unsigned> by{99};
  } slots;
  const Hooks hooks{&slots,
                    [](void* owner, Worker& worker) -> void* {
                      ++static_cast<Seats*>(owner)->attached;
                      return new std::pair<Seats*, Worker*>{static_cast<Seats*>(owner), &worker};
                    },
                    [](void*, void* thread_state) {
                      delete static_cast<std::pair<Seats*, Worker*>*>(thread_state);
                    },
                    [](void* thread_state, Task* task) {
                      static_cast<Job*>(task)->act(
                          *static_cast<std::pair<Seats*, Worker*>*>(thread_state)->second);
                    },
                    [](void* thread_state, const Timer&) {
                      const auto& [all, worker] =
                          *static_cast<std::pair<Seats*, Worker*>*>(thread_state);
                      all->by = worker->index();
                      all->fired.count_down();
                    }};
  ThreadPool pool(1, threads(2), hooks);
  support::Latch end(1);
  Job before, job;
  before.act = [&](Worker& worker) {
    worker.timers.add(base::monotonic_ns() + 3'000'000, 0, 0);
    worker.schedule(&job);
  };
  job.act = [&](Worker&) {
    slots.fired.wait("the timer");  // blocks this thread, so another must fire it
    end.count_down();
  };
  pool.start();
  pool.inject(&before);
  end.wait("the blocked task");
  stop(pool);
  CHECK(slots.by != 99);
}

TEST_CASE("the first task that yielded is not starved by those that yield again and again") {
  Crew crew;
  ThreadPool pool(1, threads(1), crew.hooks());
  std::vector<Job> greedy(3);
  std::atomic<bool> is_over{false};
  support::Latch end(1);
  Job patient, first;
  for (Job& job : greedy) {
    job.act = [&](Worker& worker) {
      if (is_over) return;
      if (&job == &greedy[0]) worker.schedule(&job);
      else worker.schedule_last(&job);
    };
  }
  int turns = 0;
  patient.act = [&](Worker& worker) {
    if (++turns < 3) return worker.schedule_last(&patient);
    is_over = true;
    end.count_down();
  };
  first.act = [&](Worker& worker) {
    worker.schedule_last(&patient);
    for (Job& job : greedy) worker.schedule(&job);
  };
  pool.inject(&first);
  pool.start();
  end.wait("the third turn of the patient task");
  stop(pool);
  CHECK(turns == 3);
}

TEST_CASE("a task that yields for ever does not keep the others away") {
  Crew crew;
  ThreadPool pool(1, threads(1), crew.hooks());
  std::atomic<bool> has_other_run{false};
  support::Latch end(2);
  Job greedy, other;
  greedy.act = [&](Worker& worker) {
    if (has_other_run) end.count_down();
    else worker.schedule(&greedy);  // puts itself at the front again and again
  };
  other.act = [&](Worker&) {
    has_other_run = true;
    end.count_down();
  };
  pool.inject(&greedy);
  pool.inject(&other);
  pool.start();
  end.wait("both tasks");
  stop(pool);
  CHECK(other.runs == 1);
}

TEST_CASE("two tasks that schedule each other for ever starve no other task, nor the stop") {
  static support::Latch others(3);
  Crew crew;
  Hooks hooks = crew.hooks();
  hooks.fire = [](void*, const Timer&) { others.count_down(); };
  ThreadPool pool(1, threads(1), hooks);
  Job ping, pong, yielded, injected, first;
  ping.act = [&](Worker& worker) { worker.schedule(&pong); };
  pong.act = [&](Worker& worker) { worker.schedule(&ping); };
  yielded.act = injected.act = [](Worker&) { others.count_down(); };
  support::Latch has_begun(1);
  first.act = [&](Worker& worker) {
    worker.schedule_last(&yielded);
    worker.timers.add(base::monotonic_ns() + 1'000'000, 0, 0);
    worker.schedule(&ping);
    has_begun.count_down();
  };
  pool.start();
  pool.inject(&first);
  has_begun.wait("the first task");
  pool.inject(&injected);
  others.wait("the yielded task, the injected one and the timer");
  stop(pool);
  CHECK(ping.runs > 0);
  CHECK(pong.runs > 0);
}

TEST_CASE("a pool has as many workers as were asked for, and one per CPU if none") {
  for (const unsigned wanted : {1u, 2u, 5u}) {
    Crew crew;
    ThreadPool pool(1, threads(wanted), crew.hooks());
    pool.start();
    stop(pool);
    CHECK(crew.attached == static_cast<int>(wanted));
    CHECK(crew.detached == crew.attached);
  }
  Crew crew;
  ThreadPool pool(1, threads(0), crew.hooks());
  pool.start();
  stop(pool);
  CHECK(crew.attached >= 1);
}

TEST_CASE("stop waits for the task that is running and leaves the others where they are") {
  Crew crew;
  support::Latch has_begun(1), may_end(1);
  Job running;
  std::vector<Job> rest(100);
  ThreadPool pool(1, threads(1), crew.hooks());
  std::atomic<bool> has_ended{false};
  running.act = [&](Worker&) {
    has_begun.count_down();
    may_end.wait("the thread that stops the pool");
    has_ended = true;
  };
  pool.start();
  pool.inject(&running);
  has_begun.wait("the task");
  for (Job& job : rest) pool.inject(&job);
  std::jthread stopper([&] { stop(pool); });
  may_end.count_down();
  stopper.join();
  CHECK(has_ended);
  CHECK(crew.detached == 1);
  CHECK(std::ranges::all_of(rest, [](const Job& job) { return job.runs <= 1; }));
  stop(pool);
  CHECK(crew.detached == 1);
}

TEST_CASE("a pool that never started can be stopped") {
  Crew crew;
  ThreadPool pool(1, threads(2), crew.hooks());
  stop(pool);
  CHECK(crew.attached == 0);
}

TEST_CASE("a pool starts once, and not after its stop") {
  Crew crew;
  CHECK(assertion_broken_by([&] {
          ThreadPool pool(1, threads(1), crew.hooks());
          pool.start();
          pool.start();
        }) == "!slot->thread.joinable()");
  CHECK(assertion_broken_by([&] {
          ThreadPool pool(1, threads(1), crew.hooks());
          pool.stop();
          pool.start();
        }) == "!is_stopping_.load(base::relaxed)");
}

TEST_CASE("to inject a task twice in a row is a bug") {
  Crew crew;
  ThreadPool pool(1, threads(1), crew.hooks());
  Job job;
  CHECK(assertion_broken_by([&] {
          pool.inject(&job);
          pool.inject(&job);
        }) == "injected_.empty() || injected_.back() != task");
}

TEST_CASE("to report a worker of another dispatcher to a pool is a bug") {
  Crew crew;
  ThreadPool pool(1, threads(1), crew.hooks()), other(2, threads(1), crew.hooks());
  Worker stranger(other, 0, {});
  CHECK(assertion_broken_by([&] { pool.on_backlog(stranger); }) == "&worker.home() == this");
}

TEST_SUITE_END();

}  // namespace actord::sched
