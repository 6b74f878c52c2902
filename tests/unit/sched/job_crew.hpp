// SPDX-License-Identifier: Apache-2.0
//
// Tasks that do what a case says, hooks that count the workers that run them, and a stop with a
// limit.
#pragma once

#include <atomic>
#include <functional>
#include <semaphore>

#include "sched/worker.hpp"
#include "support/wait.hpp"

namespace actord::sched {

struct Job : Task {
  std::function<void(Worker&)> act;
  std::atomic<int> runs{0};
};

/// Counts workers that attach and detach, and runs jobs.
struct Crew {
  Hooks hooks() {
    return {this,
            [](void* owner, Worker& worker) -> void* {
              ++static_cast<Crew*>(owner)->attached;
              return &worker;
            },
            [](void* owner, void*) {
              ++static_cast<Crew*>(owner)->detached;
              static_cast<Crew*>(owner)->left.release();
            },
            [](void* thread_state, Task* task) {
              auto& worker = *static_cast<Worker*>(thread_state);
              do {
                auto& job = *static_cast<Job*>(task);
                ++job.runs;
                if (job.act) job.act(worker);
                task = worker.next_task();
              } while (task != nullptr);
            }};
  }
  std::atomic<int> attached{0}, detached{0};
  std::counting_semaphore<> left{0};  // released at each detach
};

/// Stops a pool or an executor, which joins its threads.
template <class Stoppable>
void stop(Stoppable& pool) {
  const support::TimeLimit limit("the stop of all threads");
  pool.stop();
}

}  // namespace actord::sched
