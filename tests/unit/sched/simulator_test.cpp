// SPDX-License-Identifier: Apache-2.0
#include "sched/simulator.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "support/dies.hpp"

namespace actord::sched {

TEST_SUITE_BEGIN("sched/simulator");

using support::assertion_broken_by;

namespace {

/// A world of tasks that make other tasks runnable, and a record of everything that happens in it.
struct World {
  struct Numbered : Task {
    int number = 0;
    int turns = 0;     // slices that it still wants, one after another
    int children = 0;  // tasks that it makes runnable, beginning with `first_child`
    int first_child = 0;
  };

  explicit World(Simulator::Options options) : simulator(options) {
    const Hooks hooks{this, attach, detach, run};
    pool = &simulator.add({.name = "pool", .slice = {}}, hooks);
    blocking = &simulator.add(
        {.name = "blocking", .kind = DispatcherSettings::Kind::blocking, .slice = {}}, hooks);
    simulator.start([this](const Timer& timer) {
      note("timer " + std::to_string(timer.token) + " at " + std::to_string(simulator.now_ns()));
    });
  }

  void note(std::string what) { lines.push_back(std::move(what)); }

  /// A tree of `count` tasks in which each task has `breadth` children.
  void plant(int count, int breadth) {
    tasks.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      Numbered& task = tasks[static_cast<std::size_t>(i)];
      task.number = i;
      task.turns = i % 3;
      task.first_child = i * breadth + 1;
      task.children = std::max(0, std::min(breadth, count - task.first_child));
    }
    pool->inject(&tasks[0]);
  }

  struct WorkerSlot {
    World& world;
    Worker& worker;
  };
  static void* attach(void* owner, Worker& worker) {
    auto& world = *static_cast<World*>(owner);
    ++world.attached;
    return new WorkerSlot{world, worker};
  }
  static void detach(void* owner, void* thread_state) {
    --static_cast<World*>(owner)->attached;
    delete static_cast<WorkerSlot*>(thread_state);
  }
  static void run(void* thread_state, Task* task) {
    auto& [world, worker] = *static_cast<WorkerSlot*>(thread_state);
    auto& numbered = *static_cast<Numbered*>(task);
    world.note(std::to_string(worker.home().id()) + '.' + std::to_string(worker.index()) +
               " runs " + std::to_string(numbered.number) + " for " +
               std::to_string(worker.slice.messages));
    for (; numbered.children > 0; --numbered.children) {
      worker.schedule(&world.tasks[static_cast<std::size_t>(numbered.first_child++)]);
    }
    if (numbered.turns-- > 0) worker.schedule_last(task);
  }

  Simulator simulator;
  Dispatcher* pool = nullptr;
  Dispatcher* blocking = nullptr;
  std::vector<Numbered> tasks;
  std::vector<std::string> lines;
  int attached = 0;
};

std::vector<std::string> lines_of(std::uint64_t seed, unsigned workers = 2) {
  World world({.seed = seed, .workers = workers});
  world.plant(100, 3);
  world.simulator.run_until_idle();
  return world.lines;
}

}  // namespace

TEST_CASE("one seed means one run, repeated word for word") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    CHECK(lines_of(seed) == lines_of(seed));
  }
}

TEST_CASE("other seeds mean other orders of the same tasks") {
  std::set<std::vector<std::string>> all_lines;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) all_lines.insert(lines_of(seed));
  CHECK(all_lines.size() == 20);
}

TEST_CASE("every task runs as often as it became runnable, on whichever worker") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    World world({.seed = seed, .workers = 3});
    world.plant(200, 4);
    const std::uint64_t ran = world.simulator.run_until_idle();
    std::uint64_t expected = 0;
    for (int i = 0; i < 200; ++i) expected += 1u + static_cast<unsigned>(i % 3);
    CHECK(ran == expected);
    CHECK(world.lines.size() == expected);
    CHECK_FALSE(world.simulator.step());
    std::set<char> workers;
    for (const std::string& line : world.lines) workers.insert(line[2]);
    CHECK(workers == std::set<char>{'0', '1', '2'});
  }
}

TEST_CASE("a slice is between one message and the most that is allowed") {
  std::set<std::string> lengths;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    World world({.seed = seed, .slice_max = 3});
    world.plant(100, 3);
    world.simulator.run_until_idle();
    for (const std::string& line : world.lines) lengths.insert(line.substr(line.rfind(' ') + 1));
  }
  CHECK(lengths == std::set<std::string>{"1", "2", "3"});
}

TEST_CASE("a limit stops in the middle, and the rest is still there") {
  World world({.seed = 5});
  world.plant(50, 2);
  CHECK(world.simulator.run_until_idle(7) == 7);
  CHECK(world.lines.size() == 7);
  CHECK(world.simulator.run_until_idle() > 0);
}

TEST_CASE("time passes only when advanced, and timers fire in the order of time") {
  World world({.seed = 1});
  const std::int64_t start = world.simulator.now_ns();
  world.simulator.timers().add(start + 30, 0, 3);
  world.simulator.timers().add(start + 10, 0, 1);
  world.simulator.timers().add(start + 20, 0, 2);
  world.simulator.run_until_idle();
  CHECK(world.lines.empty());
  CHECK(world.simulator.now_ns() == start);

  world.simulator.advance(25);
  CHECK(world.simulator.now_ns() == start + 25);
  const auto at = [&](std::int64_t token) {
    return "timer " + std::to_string(token) + " at " + std::to_string(start + 10 * token);
  };
  CHECK(world.lines == std::vector<std::string>{at(1), at(2)});

  CHECK(world.simulator.advance_to_next_timer());
  CHECK(world.simulator.now_ns() == start + 30);
  CHECK(world.lines.back() == at(3));
  CHECK_FALSE(world.simulator.advance_to_next_timer());
}

TEST_CASE("what is runnable runs before time goes on") {
  World world({.seed = 3});
  world.plant(20, 2);
  world.simulator.timers().add(world.simulator.now_ns() + 1, 0, 9);
  world.simulator.advance(1);
  CHECK(world.lines.back().starts_with("timer 9"));
  CHECK(world.lines.size() > 20);
}

TEST_CASE("a timer that is overdue fires without turning time back") {
  World world({.seed = 1});
  const std::int64_t start = world.simulator.now_ns();
  world.simulator.timers().add(start - 500, 0, 1);
  CHECK(world.simulator.advance_to_next_timer());
  CHECK(world.simulator.now_ns() == start);
  CHECK(world.lines.size() == 1);
}

TEST_CASE("a blocking dispatcher shares everything: its workers push to all") {
  World world({.seed = 2});
  CHECK(world.blocking->is_shared());
  CHECK_FALSE(world.pool->is_shared());
  world.tasks.resize(1);
  world.tasks[0].turns = 5;
  world.blocking->inject(&world.tasks[0]);
  CHECK(world.simulator.run_until_idle() == 6);
  for (const std::string& line : world.lines) CHECK(line.starts_with("2."));
}

TEST_CASE("every worker is attached at the start and detached at the stop, once") {
  World world({.seed = 1, .workers = 4});
  CHECK(world.attached == 8);
  world.simulator.stop();
  CHECK(world.attached == 0);
  world.simulator.stop();
  CHECK(world.attached == 0);
}

TEST_CASE("each seed that is asked for is another, and the same in the same run") {
  Simulator one({.seed = 9}), same({.seed = 9});
  const std::uint64_t first = one.seed(), second = one.seed();
  CHECK(first != second);
  CHECK(same.seed() == first);
  CHECK(same.seed() == second);
}

TEST_CASE("however the next task is picked, all run, and one seed means one story") {
  using Pick = Simulator::Pick;
  for (const Pick pick : {Pick::worker, Pick::priority, Pick::any}) {
    CAPTURE(static_cast<int>(pick));
    const auto lines_under = [&](std::uint64_t seed) {
      World world({.seed = seed, .workers = 3, .pick = pick});
      world.plant(60, 3);
      world.simulator.run_until_idle();
      return world.lines;
    };
    CHECK(lines_under(1).size() == 60 + 20 + 40);
    CHECK(lines_under(1) == lines_under(1));
    CHECK(lines_under(1) != lines_under(2));
  }
}

TEST_CASE("by priority a task that is runnable again goes on, until it falls") {
  const auto order = [](unsigned changes) {
    World world({.seed = 3,
                 .workers = 1,
                 .slice_max = 1,
                 .pick = Simulator::Pick::priority,
                 .priority_changes = changes,
                 .expected_steps = 4});
    world.tasks.resize(2);
    for (int i = 0; i < 2; ++i) {
      world.tasks[static_cast<std::size_t>(i)].number = i;
      world.tasks[static_cast<std::size_t>(i)].turns = 9;
      world.pool->inject(&world.tasks[static_cast<std::size_t>(i)]);
    }
    world.simulator.run_until_idle();
    std::string numbers;
    for (const std::string& line : world.lines) numbers += line[line.find("runs ") + 5];
    return numbers;
  };
  const std::string steady = order(0);
  CHECK((steady == "00000000001111111111" || steady == "11111111110000000000"));
  const std::string changed = order(1);
  CHECK(changed.size() == 20);
  CHECK(changed != steady);
}

TEST_CASE("every choice can come from outside, and 0 is the task that waits longest") {
  std::vector<std::uint64_t> bounds;
  World world({.slice_max = 5, .pick = Simulator::Pick::any, .choose = [&](std::uint64_t bound) {
                 return bounds.push_back(bound), 0;
               }});
  world.tasks.resize(3);
  for (int i = 0; i < 3; ++i) {
    world.tasks[static_cast<std::size_t>(i)].number = i;
    world.pool->inject(&world.tasks[static_cast<std::size_t>(i)]);
  }
  CHECK(world.simulator.runnable().size() == 3);
  world.simulator.run_until_idle();
  CHECK(world.simulator.runnable().empty());
  CHECK(bounds == std::vector<std::uint64_t>{3, 2, 5, 2, 2, 5, 1, 2, 5});
  CHECK(world.lines ==
        std::vector<std::string>{"1.0 runs 0 for 1", "1.0 runs 1 for 1", "1.0 runs 2 for 1"});
}

TEST_CASE("a jump in time fires what is due and runs nothing") {
  World world({.seed = 1});
  const std::int64_t start = world.simulator.now_ns();
  world.tasks.resize(1);
  world.pool->inject(&world.tasks[0]);
  for (const int token : {1, 2, 3}) world.simulator.timers().add(start + 10 * token, 0, token);
  world.simulator.skip_to(start + 20);
  CHECK(world.lines.size() == 2);
  CHECK(world.simulator.runnable().size() == 1);
  world.simulator.skip_to(start);  // the time never goes back
  CHECK(world.simulator.now_ns() == start + 20);
}

TEST_CASE("a simulator starts once, and what it needs comes before") {
  const Hooks hooks{nullptr, [](void*, Worker& worker) -> void* { return &worker; },
                    [](void*, void*) {}, [](void*, Task*) {}};
  Simulator simulator({.seed = 1});
  CHECK(assertion_broken_by([&] { simulator.step(); }) == "is_running_");
  simulator.start([](const Timer&) {});
  CHECK(assertion_broken_by([&] { simulator.step(); }) == "bound != 0");  // there is no dispatcher
  CHECK(assertion_broken_by([&] { simulator.start([](const Timer&) {}); }) == "!is_running_");
  CHECK(assertion_broken_by([&] { simulator.add({.name = "late", .slice = {}}, hooks); }) ==
        "!is_running_");
}

TEST_CASE("to choose what there is not is a bug") {
  World world({.choose = [](std::uint64_t bound) { return bound; }});
  CHECK(assertion_broken_by([&] { world.simulator.step(); }) == "choice < bound");
}

TEST_SUITE_END();

}  // namespace actord::sched
