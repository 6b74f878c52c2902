// SPDX-License-Identifier: Apache-2.0
#include "sched/run_queue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "support/dies.hpp"
#include "support/wait.hpp"

namespace actord::sched {

TEST_SUITE_BEGIN("sched/run_queue");

using support::assertion_broken_by;

namespace {

std::vector<std::size_t> numbers(const std::vector<Task>& tasks, const std::vector<Task*>& some) {
  std::vector<std::size_t> found;
  for (const Task* task : some) found.push_back(static_cast<std::size_t>(task - tasks.data()));
  return found;
}

std::vector<Task*> drain(RunQueue& queue) {
  std::vector<Task*> all;
  while (Task* const task = queue.pop_newest()) all.push_back(task);
  return all;
}

using Order = std::vector<std::size_t>;
using StealAmount = RunQueue::StealAmount;

}  // namespace

TEST_CASE("the owner works newest first") {
  std::vector<Task> tasks(4);
  RunQueue queue;
  CHECK(queue.is_empty());
  CHECK(queue.push_newest(&tasks[0]) == 0);
  CHECK_FALSE(queue.is_empty());
  CHECK(queue.push_newest(&tasks[1]) == 1);
  CHECK(queue.push_newest(&tasks[2]) == 2);
  CHECK(queue.push_newest(&tasks[3]) == 3);
  CHECK(queue.waiting() == 3);
  CHECK(numbers(tasks, drain(queue)) == Order{3, 2, 1, 0});
  CHECK(queue.is_empty());
  CHECK(queue.pop_newest() == nullptr);
  CHECK(queue.pop_oldest() == nullptr);
}

TEST_CASE("what has used up its slice comes after everything else, in its order") {
  std::vector<Task> tasks(5);
  RunQueue queue;
  queue.push_newest(&tasks[0]);
  queue.push_newest(&tasks[1]);
  queue.push_yielded(&tasks[2]);
  queue.push_yielded(&tasks[3]);
  queue.push_newest(&tasks[4]);
  CHECK(queue.waiting() == 4);
  CHECK(numbers(tasks, drain(queue)) == Order{4, 1, 0, 2, 3});
}

TEST_CASE("of those that yielded the first is next, whatever is newer") {
  std::vector<Task> tasks(4);
  RunQueue queue;
  queue.push_yielded(&tasks[0]);
  queue.push_yielded(&tasks[1]);
  queue.push_newest(&tasks[2]);
  queue.push_newest(&tasks[3]);
  CHECK(queue.pop_yielded() == &tasks[0]);
  CHECK(queue.pop_oldest() == &tasks[2]);
  CHECK(queue.pop_oldest() == &tasks[1]);
  CHECK(queue.pop_yielded() == nullptr);
  CHECK(queue.pop_newest() == &tasks[3]);
}

TEST_CASE("a task that has to catch up lets one other pass") {
  std::vector<Task> tasks(4);
  RunQueue queue;
  queue.push_second(&tasks[0]);  // no other task is there: it is next
  CHECK(numbers(tasks, drain(queue)) == Order{0});
  queue.push_newest(&tasks[1]);
  queue.push_newest(&tasks[2]);
  queue.push_second(&tasks[0]);
  CHECK(numbers(tasks, drain(queue)) == Order{2, 0, 1});
  queue.push_yielded(&tasks[1]);
  queue.push_yielded(&tasks[2]);
  queue.push_yielded(&tasks[3]);
  queue.push_second(&tasks[0]);
  CHECK(queue.waiting() == 3);
  CHECK(numbers(tasks, drain(queue)) == Order{1, 0, 2, 3});
}

TEST_CASE("a push returns how many wait behind it only if it has made them more") {
  std::vector<Task> tasks(3);
  RunQueue queue;
  queue.push_yielded(&tasks[0]);
  CHECK(queue.push_newest(&tasks[1]) == 0);
  CHECK(queue.push_newest(&tasks[2]) == 2);
}

TEST_CASE("the oldest is taken from behind, the newest of all only from the front") {
  std::vector<Task> tasks(3);
  RunQueue queue;
  for (Task& task : tasks) queue.push_newest(&task);
  CHECK(queue.pop_oldest() == &tasks[0]);
  CHECK(queue.pop_oldest() == &tasks[1]);
  CHECK(queue.pop_oldest() == nullptr);
  CHECK(queue.pop_newest() == &tasks[2]);
}

TEST_CASE("a queue grows as it must and keeps its order") {
  constexpr std::size_t many = 1000;
  std::vector<Task> tasks(many);
  RunQueue queue;
  for (std::size_t i = 0; i < 40; ++i) queue.push_newest(&tasks[i]);  // moves the ring's beginning
  drain(queue);
  Order expected;
  for (std::size_t i = 0; i < many; ++i) {
    queue.push_newest(&tasks[i]);
    expected.push_back(many - 1 - i);
  }
  CHECK(numbers(tasks, drain(queue)) == expected);
}

TEST_CASE("a thief takes the older half, runs the oldest and keeps their order") {
  std::vector<Task> tasks(8);
  RunQueue victim, thief;
  for (Task& task : tasks) victim.push_newest(&task);  // 7 tasks wait behind the newest
  CHECK(victim.steal_for(thief, StealAmount::half) == &tasks[0]);
  CHECK(thief.waiting() == 3);
  CHECK(victim.waiting() == 3);
  CHECK(numbers(tasks, drain(thief)) == Order{1, 2, 3});
  CHECK(numbers(tasks, drain(victim)) == Order{7, 6, 5, 4});
}

TEST_CASE("a thief takes so many tasks at a time, and no more") {
  std::vector<Task> tasks(1001);
  RunQueue victim, thief;
  for (Task& task : tasks) victim.push_newest(&task);
  CHECK(victim.steal_for(thief, StealAmount::half) == &tasks[0]);
  CHECK(thief.waiting() == RunQueue::steal_max - 1);
  CHECK(victim.waiting() == 1000 - RunQueue::steal_max);
}

TEST_CASE("from a worker that is stuck a thief takes everything, the oldest first") {
  std::vector<Task> tasks(4);
  RunQueue victim, thief;
  victim.push_newest(&tasks[0]);
  CHECK(victim.steal_for(thief, StealAmount::half) == nullptr);  // a lone task stays where it is
  for (std::size_t i = 1; i < 4; ++i) victim.push_newest(&tasks[i]);
  CHECK(victim.steal_for(thief, StealAmount::all) == &tasks[0]);
  CHECK(victim.is_empty());
  CHECK(numbers(tasks, drain(thief)) == Order{1, 2, 3});
  CHECK(victim.steal_for(thief, StealAmount::all) == nullptr);
}

TEST_CASE("an owner and two thieves take every task once") {
  constexpr std::size_t many = 20'000;
  struct Counted : Task {
    std::atomic<int> taken{0};
  };
  const support::TimeLimit limit("the last task");
  std::vector<Counted> tasks(many);
  RunQueue queue;
  std::atomic<std::size_t> left{many};
  const auto take = [&](Task* task) {
    if (task == nullptr) return;
    ++static_cast<Counted*>(task)->taken;
    --left;
  };
  std::vector<std::jthread> thieves;
  for (int t = 0; t < 2; ++t) {
    thieves.emplace_back([&, t] {
      RunQueue mine;
      while (left != 0) {
        take(queue.steal_for(mine, t == 0 ? StealAmount::all : StealAmount::half));
        while (Task* const task = mine.pop_newest()) take(task);
      }
    });
  }
  for (std::size_t i = 0; i < many; ++i) {
    if (i % 3 == 0) queue.push_yielded(&tasks[i]);
    else if (!queue.try_push_newest(&tasks[i])) queue.push_newest(&tasks[i]);
    if (i % 4 == 0) take(queue.pop_newest());
    if (i % 7 == 0) take(queue.pop_oldest());
  }
  while (left != 0) take(queue.pop_newest());
  thieves.clear();
  CHECK(std::ranges::all_of(tasks, [](const Counted& task) { return task.taken == 1; }));
}

TEST_CASE("to push a task that is in the queue already is a bug") {
  Task task;
  const auto pushed_twice = [&](auto&& first, auto&& second) {
    return assertion_broken_by([&] {
      RunQueue queue;
      first(queue);
      second(queue);
    });
  };
  const auto as_newest = [&](RunQueue& queue) { queue.push_newest(&task); };
  const auto as_second = [&](RunQueue& queue) { queue.push_second(&task); };
  const auto as_last = [&](RunQueue& queue) { queue.push_yielded(&task); };
  const std::string is_newest = "newest_.load(base::relaxed) != task";
  CHECK(pushed_twice(as_newest, as_newest) == "displaced != task");
  CHECK(pushed_twice(as_newest, as_second) == is_newest);
  CHECK(pushed_twice(as_newest, as_last) == is_newest);
  CHECK(pushed_twice(as_last, as_last) ==
        "yielded_.size() == 0 || yielded_[yielded_.size() - 1] != task");
}

TEST_SUITE_END();

}  // namespace actord::sched
