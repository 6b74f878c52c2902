// SPDX-License-Identifier: Apache-2.0
//
// Calls that only a bug of ours would make: the system asserts against them.
#include "system/actor_system.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "support/dies.hpp"
#include "testkit/world.hpp"

namespace actord::system {

TEST_SUITE_BEGIN("system/actor_system");

using support::assertion_broken_by;
using testkit::World;

namespace {

/// A simulator that keeps the hooks that a system gives it.
class KeepingExecutor final : public sched::Executor {
 public:
  sched::Dispatcher& add(const sched::DispatcherSettings& settings,
                         const sched::Hooks& given) override {
    hooks = given;
    return simulator_.add(settings, given);
  }
  void start(std::function<void(const sched::Timer&)> on_timer) override {
    simulator_.start(std::move(on_timer));
  }
  void stop() override { simulator_.stop(); }
  sched::TimerWheel& timers() override { return simulator_.timers(); }
  std::int64_t now_ns() const override { return simulator_.now_ns(); }
  std::uint64_t seed() override { return simulator_.seed(); }

  sched::Hooks hooks{};

 private:
  sched::Simulator simulator_{{.seed = 1}};
};

/// Looks at its own system, twice in one hook and once in another one.
struct Looker : Actor {
  Looker(ActorSystem* system, std::vector<Activity>* looks) : system_(system), looks_(looks) {}
  using Receive = Handlers<>;

 private:
  void pre_start(Context&) override {
    looks_->push_back(system_->look());
    looks_->push_back(system_->look());
  }
  void post_stop(Context&) override { looks_->push_back(system_->look()); }

  ActorSystem* system_;
  std::vector<Activity>* looks_;
};

/// A system that was not started, and a worker that the test attaches.
struct Parts {
  KeepingExecutor executor;
  log::Hub hub{[] { return std::int64_t{0}; }};
  ActorSystem system{{}, executor, hub, sdk::host_table()};
  sched::Worker worker{system.dispatcher(1), 0, {}};

  void* attach() { return executor.hooks.attach(executor.hooks.owner, worker); }
  void detach(void* thread) { executor.hooks.detach(executor.hooks.owner, thread); }
};

}  // namespace

TEST_CASE("a system starts once, and is reconfigured after that") {
  World world;
  CHECK(assertion_broken_by([&] { world.reconfigure({}); }) == "root_ != actor::nobody");
  world.start();
  CHECK(assertion_broken_by([&] { world.start(); }) == "root_ == actor::nobody");
}

TEST_CASE("a snapshot is replaced only by one that was built later") {
  World world;
  world.start();
  const actor::ConfigSnapshotPtr older = *world.system().build_snapshot({});
  world.reconfigure({});
  world.run();
  CHECK(assertion_broken_by([&] { world.system().reconfigure(older, false, [] {}); }) ==
        "!snapshot_ || newest->number > snapshot_->number");
}

TEST_CASE("a system goes down once") {
  World world;
  world.start();
  REQUIRE(world.shut_down());
  CHECK(assertion_broken_by([&] { world.system().root_stopped(); }) == "!is_stopped_");
}

TEST_CASE("a dispatcher is asked for by a number that a dispatcher has") {
  World world;
  ActorSystem& system = world.system();
  for (const char* name : {"default", "blocking-io", "pinned"}) {
    const std::uint16_t id = *system.dispatcher_named(name);
    CHECK(system.dispatcher(id).id() == id);
  }
  const std::string broken = "id != 0 && id < dispatchers_.size()";
  CHECK(assertion_broken_by([&] { system.dispatcher(0); }) == broken);
  CHECK(assertion_broken_by([&] { system.dispatcher(4); }) == broken);
}

TEST_CASE("a worker is detached once, and before the system has been joined") {
  CHECK(assertion_broken_by([] {
          Parts parts;
          void* const thread = parts.attach();
          parts.detach(thread);
          parts.detach(thread);
        }) == "std::erase(system.threads_, thread) == 1");
  CHECK(assertion_broken_by([] {
          Parts parts;
          parts.attach();
          parts.system.join();
        }) == "threads_.empty()");
}

TEST_CASE("a look finds the worker that runs an actor, and progress after each message") {
  World world;
  world.start();
  std::vector<Activity> looks;
  const actor::Ref looker = world.spawn<Looker>("looker", &world.system(), &looks);
  world.stop(looker);
  world.run();
  const Activity at_rest = world.system().look();
  const auto busy = [](const Activity& of) {
    std::vector<WorkerActivity> found = of.workers;
    std::erase_if(found, [](const WorkerActivity& each) { return !each.is_busy; });
    return found;
  };
  REQUIRE(looks.size() == 3);  // two in one hook, one in another one
  REQUIRE(busy(looks[0]).size() == 1);
  REQUIRE(busy(looks[1]).size() == 1);
  const WorkerActivity first = busy(looks[0])[0], second = busy(looks[1])[0];
  CHECK(first.worker == second.worker);
  CHECK(first.progress == second.progress);
  CHECK(first.dispatcher == actor::default_dispatcher);
  CHECK(busy(at_rest).empty());
  const auto progress = [](const Activity& of) {
    std::uint64_t sum = 0;
    for (const WorkerActivity& each : of.workers) sum += each.progress;
    return sum;
  };
  CHECK(progress(looks[2]) > progress(looks[1]));
  CHECK(progress(at_rest) > progress(looks[2]));
}

TEST_CASE("a look knows the dispatchers by number, with their timeouts") {
  World world;
  system::LiveSettings live;
  live.stuck_timeouts = {1, 2, 3};
  world.system().set_live(live);
  const Activity look = world.system().look();
  REQUIRE(look.dispatchers.size() == 4);
  CHECK(look.dispatchers[1].name == "default");
  CHECK(look.dispatchers[1].stuck_timeout_ns == 1);
  CHECK(look.dispatchers[2].name == "blocking-io");
  CHECK(look.dispatchers[2].stuck_timeout_ns == 2);
  CHECK(look.dispatchers[3].name == "pinned");
  CHECK(look.dispatchers[3].stuck_timeout_ns == 3);
}

TEST_SUITE_END();

}  // namespace actord::system
