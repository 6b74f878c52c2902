// SPDX-License-Identifier: Apache-2.0
//
// What a worker runs next without asking its dispatcher.
#include "sched/worker.hpp"

#include <doctest/doctest.h>

namespace actord::sched {

TEST_SUITE_BEGIN("sched/worker");

namespace {

class Nowhere : public Dispatcher {
 public:
  Nowhere() : Dispatcher(1) {}
  void inject(Task*) override {}
  void on_backlog(Worker&) override {}
};

struct Bench {
  Nowhere home;
  Worker worker{home, 0, {}};
  Task first, second;
};

}  // namespace

TEST_CASE("a worker goes on with the newest task, until its dispatcher wants to look around") {
  Bench bench;
  bench.worker.runs_left = 3;
  for (int i = 0; i < 2; ++i) {
    bench.worker.schedule(&bench.first);
    CHECK(bench.worker.next_task() == &bench.first);
  }
  CHECK(bench.worker.runs.load() == 2);
  bench.worker.schedule(&bench.first);
  CHECK(bench.worker.next_task() == nullptr);
  CHECK(bench.worker.runs.load() == 2);
  CHECK(bench.worker.queue.pop_newest() == &bench.first);
}

TEST_CASE("a worker leaves the choice among those that wait to its dispatcher") {
  Bench bench;
  bench.worker.runs_left = 10;
  bench.worker.schedule_last(&bench.first);
  CHECK(bench.worker.next_task() == nullptr);
  CHECK(bench.worker.runs_left == 10);
  bench.worker.schedule(&bench.second);
  CHECK(bench.worker.next_task() == &bench.second);
}

TEST_CASE("a worker whose dispatcher wants every task for itself goes on with none") {
  Bench bench;
  bench.worker.schedule(&bench.first);
  CHECK(bench.worker.next_task() == nullptr);
}

TEST_SUITE_END();

}  // namespace actord::sched
