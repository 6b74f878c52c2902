// SPDX-License-Identifier: Apache-2.0
//
// An actor of a real plugin in a real host process, which dies in every way that crash_lab knows.
// Its cell lives in a simulated system, on the thread of the test.
#include <actord/actord.hpp>

#include <doctest/doctest.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "crash_lab/crash_messages.hpp"
#include "isolate/host_pool.hpp"
#include "link/isolated_plugin.hpp"
#include "os/crash_handler.hpp"
#include "support/wait.hpp"
#include "testkit/world.hpp"

namespace actord::isolate {

namespace {

using crash_lab::Counted;
using crash_lab::Way;

const std::string plugin_file = ACTORD_PLUGINS "/crash_lab.so";

struct Visitor : Actor {
  explicit Visitor(std::vector<Counted>* counted) : counted_(counted) {}
  void on_counted(Context&, const Counted& message) { counted_->push_back(message); }
  using Receive = Handlers<&Visitor::on_counted>;

 private:
  std::vector<Counted>* counted_;
};

struct Laboratory {
  explicit Laboratory(IsolationOptions options = {})
      : pool(world.system(), with_host(options), {}) {
    const actord_plugin& table = *actord_plugin_v1();
    world.use(table);
    auto added = link::IsolatedPlugin::add(world.system(), table, pool, plugin_file);
    REQUIRE(added.ok());
    isolated = std::move(*added);
    auto copy = os::SealedCopy::of(plugin_file, "actord:test", SIZE_MAX);
    REQUIRE(copy.ok());
    pool.add_plugin(*isolated, plugin_file,
                    std::make_shared<const os::SealedCopy>(std::move(*copy)));
    actor::NodeSpec victim_node;
    victim_node.name = "victim";
    const auto twin = isolated->isolate(
        {*world.system().behaviours().find_isolated("crash_lab/Victim"), "/user/victim", {}},
        "all");
    REQUIRE(twin.ok());
    victim_node.behaviour = twin->behaviour;
    victim_node.create = twin->create;
    victim_node.args = twin->origin;
    actor::NodeSpec user;
    user.children.push_back(std::move(victim_node));
    world.start(std::move(user));
    victim = world.find("/user/victim");
    visitor = world.spawn<Visitor>("visitor", &counts);
  }
  ~Laboratory() {
    world.shut_down();
    pool.end_all();
  }

  static IsolationOptions with_host(IsolationOptions options) {
    options.executable = ACTORD_HOST;
    return options;
  }
  Counted counted() {
    counts.clear();
    world.send(victim, crash_lab::GetCount{}, visitor);
    REQUIRE(counts.size() == 1);
    return counts.front();
  }

  testkit::World world;
  HostPool pool;
  std::unique_ptr<link::IsolatedPlugin> isolated;
  actor::Ref victim = actor::nobody, visitor = actor::nobody;
  std::vector<Counted> counts;
};

/// The type of the failure of an actor that dies in that way.
void check_death(Way way, const std::string& type, bool on_own_thread = false) {
  CAPTURE(static_cast<int>(way));
  CAPTURE(type);
  CAPTURE(on_own_thread);
  IsolationOptions options;
  options.stuck_timeout_ns = 500 * base::ns_per_ms;
  Laboratory laboratory(options);
  laboratory.world.send(laboratory.victim, crash_lab::Count{3});
  const Counted before = laboratory.counted();
  CHECK(before.count == 3);
  CHECK(before.process != ::getpid());
  laboratory.world.send(laboratory.victim, crash_lab::Die{way, on_own_thread});
  const Counted after = laboratory.counted();
  CHECK(after.count == 0);
  CHECK(after.instance != before.instance);
  CHECK(after.process != before.process);
  const auto failed = laboratory.world.events("actor.failed");
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].field("failure.type") == type);
}

}  // namespace

TEST_SUITE_BEGIN("isolate/isolated_actor");

TEST_CASE("the actor of a process that a signal ends fails by the name of the signal") {
  if (!os::can_report_crashes) return;
  for (const bool on_own_thread : {false, true}) {
    check_death(Way::null_dereference, "actord::crash::SIGSEGV", on_own_thread);
    check_death(Way::null_call, "actord::crash::SIGSEGV", on_own_thread);
    check_death(Way::stack_overflow, "actord::crash::SIGSEGV", on_own_thread);
    check_death(Way::bus_error, "actord::crash::SIGBUS", on_own_thread);
    check_death(Way::divide_by_zero, "actord::crash::SIGFPE", on_own_thread);
    check_death(Way::illegal_instruction, "actord::crash::SIGILL", on_own_thread);
    check_death(Way::abort, "actord::crash::SIGABRT", on_own_thread);
    check_death(Way::double_free, "actord::crash::SIGABRT", on_own_thread);
    check_death(Way::corrupt_heap, "actord::crash::SIGABRT", on_own_thread);
    check_death(Way::terminate, "actord::crash::SIGABRT", on_own_thread);
    check_death(Way::kill_self, "actord::crash::SIGKILL", on_own_thread);
  }
}

TEST_CASE("the actor of a process that exits fails for that") {
  for (const bool on_own_thread : {false, true}) {
    check_death(Way::exit, "actord::crash::Exit", on_own_thread);
    check_death(Way::quick_exit, "actord::crash::Exit", on_own_thread);
    check_death(Way::underscore_exit, "actord::crash::Exit", on_own_thread);
    check_death(Way::replace_process, "actord::crash::Exit", on_own_thread);
    check_death(Way::leave_child, "actord::crash::Exit", on_own_thread);
  }
  check_death(Way::exit_thread, "actord::crash::Exit");
}

TEST_CASE("the actor of a process that does not come back fails for that") {
  check_death(Way::endless_loop, "actord::crash::Hang");
  check_death(Way::block_forever, "actord::crash::Hang");
  check_death(Way::endless_loop, "actord::crash::Hang", true);
  check_death(Way::block_forever, "actord::crash::Hang", true);
}

TEST_CASE("an actor goes on after its process was stopped, and killed for that") {
  IsolationOptions options;
  options.stuck_timeout_ns = 300 * base::ns_per_ms;
  Laboratory laboratory(options);
  const Counted before = laboratory.counted();
  // The process may be stopped in the call, or only a moment later.
  laboratory.world.send(laboratory.victim, crash_lab::Die{Way::stop_self});
  support::wait_until(
      [&] {
        laboratory.counts.clear();
        laboratory.world.send(laboratory.victim, crash_lab::GetCount{}, laboratory.visitor);
        return !laboratory.counts.empty() && laboratory.counts.front().process != before.process;
      },
      "an answer from another process");
}

TEST_CASE("an exception of the plugin is the failure that it would be without a process") {
  Laboratory laboratory;
  const Counted before = laboratory.counted();
  laboratory.world.send(laboratory.victim, crash_lab::Die{Way::throw_exception});
  CHECK(laboratory.counted().process == before.process);
  const auto failed = laboratory.world.events("actor.failed");
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].field("failure.type") == "std::runtime_error");
}

TEST_SUITE_END();

}  // namespace actord::isolate
