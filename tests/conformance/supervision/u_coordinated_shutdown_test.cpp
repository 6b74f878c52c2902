// SPDX-License-Identifier: Apache-2.0
//
// Coordinated shutdown: item 180l. The order of phases is that of ShutdownPlan, which the
// configuration builds, too (tests/unit/settings/shutdown_reader_test.cpp).
#include <actord/coordinated_shutdown.hpp>

#include "seeded_test.hpp"
#include "system/shutdown_plan.hpp"

namespace actord::conformance::shutdowns {

namespace {

using system::ShutdownPhase;
using system::ShutdownPlan;
using system::ShutdownPlanFault;

// ---- plans --------------------------------------------------------------------------------------

ShutdownPhase phase(std::string name, std::vector<std::string> depends_on = {}) {
  return {.name = std::move(name), .depends_on = std::move(depends_on)};
}

// The phases in the order of the plan, without the last one, which each plan has.
std::string order_of(std::vector<ShutdownPhase> phases) {
  const auto plan = ShutdownPlan::of(std::move(phases));
  REQUIRE(plan.ok());
  const std::string names = plan->names();
  const std::string end = ", " + std::string{ShutdownPlan::last};
  REQUIRE(names.ends_with(ShutdownPlan::last));
  return names.ends_with(end) ? names.substr(0, names.size() - end.size()) : "";
}

ShutdownPlanFault fault_of(std::vector<ShutdownPhase> phases) {
  auto plan = ShutdownPlan::of(std::move(phases));
  REQUIRE_FALSE(plan.ok());
  return plan.error();
}

// A world with three phases, of which the second one is as `change` makes it.
SeededTest::Setup abc(const std::function<void(ShutdownPhase&)>& change = [](auto&) {}) {
  std::vector<ShutdownPhase> phases{phase("a"), phase("b", {"a"}), phase("c", {"b"})};
  change(phases[1]);
  SeededTest::Setup setup;
  setup.options.shutdown = std::move(ShutdownPlan::of(std::move(phases))).value();
  return setup;
}

// ---- actors -------------------------------------------------------------------------------------

// Adds tasks as its script says, and records those that it is told to do: "does a/close for
// SIGTERM". It answers at once a task whose name begins with "done", answers with a failure one
// whose name begins with "fail", stops itself for "stop" and throws for "throw"; others wait for
// finish().
class Worker : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void work(Context& ctx, const ShutdownTask& task) {
    record("does " + task.phase + '/' + task.name + " for " + task.reason);
    if (task.name.starts_with("done")) return ctx.reply(ShutdownTaskDone{});
    if (task.name.starts_with("fail")) return ctx.reply_failure<Stopping>("the port is held");
    if (task.name.starts_with("stop")) return ctx.stop_self();
    if (task.name.starts_with("throw")) throw Stopping("lost its mind");
    if (task.name.starts_with("add")) {
      on_shutdown(ctx, "c", "done, added in " + task.phase);
      return ctx.reply(ShutdownTaskDone{});
    }
    if (task.name.starts_with("later")) on_shutdown(ctx, "c", "done, added in " + task.phase);
    asked_ = ctx.sender();
  }
  void finish(Context& ctx) const { ctx.tell(asked_, ShutdownTaskDone{}); }
  using Receive = Handlers<&ScriptedActor::act, &ScriptedActor::note, &Worker::work>;
  using States = actord::States<>;

 private:
  Ref asked_;
};

struct Wanted {
  std::string_view phase, task;
};

Ref worker(SeededTest& test, const std::string& name, std::initializer_list<Wanted> tasks) {
  const Ref spawned = test.spawn<Worker>(name);
  for (const Wanted& each : tasks)
    test.perform(spawned,
                 [&](ScriptedActor&, Context& ctx) { on_shutdown(ctx, each.phase, each.task); });
  test.world.run();
  return spawned;
}

void finish(SeededTest& test, Ref worker) {
  test.perform(worker,
               [](ScriptedActor& actor, Context& ctx) { static_cast<Worker&>(actor).finish(ctx); });
}

std::string phases_begun(SeededTest& test) {
  std::string names;
  for (const testkit::SeenEvent& each : test.world.events("shutdown.phase"))
    names.append(names.empty() ? "" : " ").append(each.field("shutdown.phase"));
  return names;
}

// "task: fault" of each task that is not done.
std::string faults(SeededTest& test) {
  std::string text;
  for (const testkit::SeenEvent& each : test.world.events("shutdown.task-failed")) {
    CHECK(each.level == log::Level::warning);
    text.append(text.empty() ? "" : ", ").append(each.field("shutdown.task"));
    text.append(": ").append(each.field("shutdown.fault"));
  }
  return text;
}

bool is_over(const SeededTest& test) { return test.world.shutdown_outcome().has_value(); }
std::string aborted_in(const SeededTest& test) { return test.world.shutdown_outcome()->aborted_in; }

}  // namespace

// ---- the plan -----------------------------------------------------------------------------------

TEST_CASE("180l phases are put into an order in which each follows those that it depends on") {
  CHECK(order_of({}).empty());
  CHECK(order_of({phase("a")}) == "a");
  CHECK(order_of({phase("b", {"a"}), phase("a")}) == "a, b");
  CHECK(order_of({phase("c", {"b"}), phase("b", {"a"}), phase("a")}) == "a, b, c");
  CHECK(order_of({phase("a"), phase("c", {"a"}), phase("b", {"a"})}) == "a, c, b");
  CHECK(order_of({phase("d", {"b", "c"}), phase("b", {"a"}), phase("c", {"a"}), phase("a")}) ==
        "a, b, c, d");
  CHECK(order_of({phase("b", {"a"}), phase("a"), phase("y", {"x"}), phase("x")}) == "a, b, x, y");
  CHECK(order_of({phase("a"), phase("b", {"a", "a"})}) == "a, b");
}

TEST_CASE("180l the phase that ends the actor system comes last, whatever does not depend on it") {
  const std::string last{ShutdownPlan::last};
  CHECK(order_of({phase(last), phase("z")}) == "z");
  CHECK(order_of({phase(last, {"a"}), phase("a"), phase("b")}) == "a, b");
  const ShutdownPlanFault after = fault_of({phase(last), phase("z", {last})});
  CHECK(after.kind == ShutdownPlanFault::Kind::after_last);
  CHECK(after.phase == "z");
}

TEST_CASE("180l a cycle of phases is an error that names it") {
  const auto circle_of = [](std::vector<ShutdownPhase> phases) {
    const ShutdownPlanFault fault = fault_of(std::move(phases));
    CHECK(fault.kind == ShutdownPlanFault::Kind::cycle);
    CHECK(fault.phase == fault.circle.front());
    std::string text;
    for (const std::string& each : fault.circle) text.append(each).append(" ");
    return text;
  };
  CHECK(circle_of({phase("a", {"a"})}) == "a ");
  CHECK(circle_of({phase("a", {"b"}), phase("b", {"a"})}) == "a b ");
  CHECK(circle_of({phase("a", {"c"}), phase("b", {"a"}), phase("c", {"b"})}) == "a c b ");
  CHECK(circle_of({phase("x", {"b"}), phase("a", {"b"}), phase("b", {"a"})}) == "b a ");
  CHECK(circle_of({phase("a"), phase("b", {"a", "c"}), phase("c", {"b"}), phase("d", {"c"})}) ==
        "b c ");
}

TEST_CASE("180l a phase that depends on an unknown one is an error") {
  const ShutdownPlanFault fault = fault_of({phase("a", {"b"})});
  CHECK(fault.kind == ShutdownPlanFault::Kind::unknown);
  CHECK(fault.phase == "a");
  CHECK(fault.other == "b");
}

TEST_CASE("180l the standard phases are those that the header names, in its order") {
  std::string names;
  for (const std::string_view each :
       {phases::before_service_unbind, phases::service_unbind, phases::service_requests_done,
        phases::service_stop, phases::before_actor_system_terminate,
        phases::actor_system_terminate})
    names.append(names.empty() ? "" : ", ").append(each);
  CHECK(ShutdownPlan().names() == names);
  CHECK(order_of(ShutdownPlan::standard_phases()) + ", actor-system-terminate" == names);
}

// ---- tasks --------------------------------------------------------------------------------------

TEST_CASE("180l phases run one after the other, and only those that have tasks") {
  under_seeds(
      [](SeededTest& test) {
        worker(test, "one", {{"c", "done last"}, {"a", "done first"}});
        const Ref two = worker(test, "two", {{"a", "slow"}});
        test.world.begin_shutdown("SIGTERM");
        CHECK(phases_begun(test) == "a");
        CHECK(test.count("one does a/done first for SIGTERM") == 1);
        CHECK(test.count("one does c/done last for SIGTERM") == 0);
        CHECK_FALSE(is_over(test));
        finish(test, two);
        CHECK(test.came_in_order(
            {"two does a/slow for SIGTERM", "one does c/done last for SIGTERM"}));
        CHECK(phases_begun(test) == "a c");
        REQUIRE(is_over(test));
        CHECK(aborted_in(test).empty());
        CHECK(faults(test).empty());
        CHECK(test.is_alive(two));  // the actors are stopped when the phases are over
      },
      abc());
}

TEST_CASE("180l tasks of a phase run at the same time") {
  under_seeds(
      [](SeededTest& test) {
        const Ref one = worker(test, "one", {{"a", "slow"}});
        const Ref two = worker(test, "two", {{"a", "slow"}});
        test.world.begin_shutdown("SIGTERM");
        CHECK(test.count("one does a/slow for SIGTERM") == 1);
        CHECK(test.count("two does a/slow for SIGTERM") == 1);
        CHECK(test.world.events("shutdown.phase").front().field("shutdown.tasks") == "2");
        finish(test, two);
        CHECK_FALSE(is_over(test));
        finish(test, one);
        CHECK(is_over(test));
      },
      abc());
}

TEST_CASE("180l an actor may have several tasks, and the same task once") {
  under_seeds(
      [](SeededTest& test) {
        const Ref one = worker(
            test, "one", {{"a", "done x"}, {"a", "done y"}, {"b", "done x"}, {"a", "done x"}});
        worker(test, "two", {{"a", "done x"}});
        test.fail<Restarting>(one);  // tasks outlive a restart
        test.world.begin_shutdown("SIGINT");
        CHECK(test.count("one does a/done x for SIGINT") == 1);
        CHECK(test.count("one does a/done y for SIGINT") == 1);
        CHECK(test.count("one does b/done x for SIGINT") == 1);
        CHECK(test.count("two does a/done x for SIGINT") == 1);
        CHECK(is_over(test));
      },
      abc());
}

TEST_CASE("180l an unknown phase and an empty name are errors of the actor, which stop it") {
  under_seeds(
      [](SeededTest& test) {
        const Ref lost = worker(test, "lost", {{"d", "close"}});
        const Ref nameless = worker(test, "nameless", {{"a", ""}});
        CHECK_FALSE(test.is_alive(lost));
        CHECK_FALSE(test.is_alive(nameless));
        const auto failed = test.world.events("actor.failed");
        REQUIRE(failed.size() == 2);
        CHECK(failed[0].field("failure.type") == "actord::ShutdownTaskRefused");
        CHECK(failed[0].field("failure.message") ==
              "the shutdown has no phase \"d\"; it has a, b, c, actor-system-terminate");
        CHECK(failed[1].field("failure.message") == "a task of the shutdown needs a name: phase a");
        test.world.begin_shutdown("SIGTERM");
        CHECK(is_over(test));
      },
      abc());
}

TEST_CASE("180l a task of a later phase may be added in an earlier one, and runs") {
  under_seeds(
      [](SeededTest& test) {
        const Ref one = worker(test, "one", {{"a", "later"}});
        test.world.begin_shutdown("SIGTERM");
        finish(test, one);
        CHECK(test.count("one does c/done, added in a for SIGTERM") == 1);
        CHECK(is_over(test));
        CHECK(faults(test).empty());
      },
      abc());
}

TEST_CASE("180l a task that a task adds right before its answer runs") {
  under_seeds(
      [](SeededTest& test) {
        worker(test, "one", {{"b", "add one"}});
        worker(test, "two", {{"b", "add one"}});
        test.world.begin_shutdown("SIGTERM");
        CHECK(test.count("one does c/done, added in b for SIGTERM") == 1);
        CHECK(test.count("two does c/done, added in b for SIGTERM") == 1);
        CHECK(is_over(test));
        CHECK(faults(test).empty());
      },
      abc());
}

TEST_CASE(
    "180l a task that is registered again while it runs, or when it is over, is none too late") {
  under_seeds(
      [](SeededTest& test) {
        const Ref one = worker(test, "one", {{"a", "done"}, {"b", "slow"}});
        test.world.begin_shutdown("SIGTERM");
        CHECK(phases_begun(test) == "a b");
        test.perform(one, [](ScriptedActor&, Context& ctx) {  // as pre_start does after a restart
          on_shutdown(ctx, "a", "done");
          on_shutdown(ctx, "b", "slow");
        });
        CHECK(faults(test).empty());
        finish(test, one);
        CHECK(is_over(test));
        CHECK(test.count("one does a/done for SIGTERM") == 1);
        CHECK(test.count("one does b/slow for SIGTERM") == 1);
      },
      abc());
}

TEST_CASE(
    "180l a task that is added to a phase that runs or is over does not run, and a line says "
    "so") {
  under_seeds(
      [](SeededTest& test) {
        const Ref one = worker(test, "one", {{"b", "slow"}});
        test.world.begin_shutdown("SIGTERM");
        for (const char* const phase : {"a", "b"})
          test.perform(one, [phase](ScriptedActor&, Context& ctx) {
            on_shutdown(ctx, phase, "done too late");
          });
        CHECK(faults(test) == "done too late: late, done too late: late");
        finish(test, one);
        CHECK(is_over(test));
        CHECK(test.is_alive(one));
        CHECK(test.count("one does a/done too late for SIGTERM") == 0);
        CHECK(test.count("one does b/done too late for SIGTERM") == 0);
      },
      abc());
}

// ---- failures -----------------------------------------------------------------------------------

TEST_CASE("180l a task that fails or takes too long is a warning, and the next phase runs") {
  under_seeds(
      [](SeededTest& test) {
        worker(test, "one", {{"a", "fail at once"}, {"b", "never ends"}, {"c", "done at last"}});
        test.world.begin_shutdown("SIGTERM");
        CHECK(faults(test) == "fail at once: failed");
        const auto failed = test.world.events("shutdown.task-failed").front();
        CHECK(failed.field("shutdown.phase") == "a");
        CHECK(failed.field("actor.path") == "/user/one");
        CHECK(failed.field("failure.message") == "the port is held");
        CHECK(phases_begun(test) == "a b");
        test.world.advance(999ms);
        CHECK_FALSE(is_over(test));
        test.world.advance(1ms);
        CHECK(faults(test) == "fail at once: failed, never ends: timeout");
        CHECK(phases_begun(test) == "a b c");
        CHECK(test.count("one does c/done at last for SIGTERM") == 1);
        REQUIRE(is_over(test));
        CHECK(aborted_in(test).empty());
        CHECK(test.world.events("shutdown.aborted").empty());
      },
      abc([](ShutdownPhase& b) { b.timeout_ns = 1000 * ms; }));
}

TEST_CASE("180l with recover = off a failure ends the shutdown: no further phase runs") {
  under_seeds(
      [](SeededTest& test) {
        worker(test, "one", {{"b", "fail at once"}, {"b", "slow"}, {"c", "done never"}});
        test.world.begin_shutdown("SIGTERM");
        REQUIRE(is_over(test));
        CHECK(aborted_in(test) == "b");
        CHECK(faults(test) == "fail at once: failed");
        CHECK(phases_begun(test) == "b");
        CHECK(test.count("one does c/done never for SIGTERM") == 0);
        const auto aborted = test.world.events("shutdown.aborted");
        REQUIRE(aborted.size() == 1);
        CHECK(aborted[0].level == log::Level::error);
        CHECK(aborted[0].field("shutdown.phase") == "b");
        CHECK(aborted[0].field("reason") == "SIGTERM");
      },
      abc([](ShutdownPhase& b) { b.recovers = false; }));
}

TEST_CASE("180l with recover = off a timeout ends the shutdown, too") {
  under_seeds(
      [](SeededTest& test) {
        worker(test, "one", {{"a", "fail"}, {"b", "never ends"}, {"c", "done never"}});
        test.world.begin_shutdown("SIGTERM");
        CHECK(phases_begun(test) == "a b");  // the others recover
        test.world.advance(5s);
        REQUIRE(is_over(test));
        CHECK(aborted_in(test) == "b");
        CHECK(faults(test) == "fail: failed, never ends: timeout");
        CHECK(phases_begun(test) == "a b");
      },
      abc([](ShutdownPhase& b) { b.recovers = false; }));
}

TEST_CASE("180l the tasks of a disabled phase are skipped with a line") {
  under_seeds(
      [](SeededTest& test) {
        worker(test, "one", {{"a", "done"}, {"b", "done never"}, {"b", "never"}, {"c", "done"}});
        test.world.begin_shutdown("SIGTERM");
        CHECK(is_over(test));
        CHECK(phases_begun(test) == "a c");
        CHECK(test.count("one does b/done never for SIGTERM") == 0);
        const auto skipped = test.world.events("shutdown.phase-skipped");
        REQUIRE(skipped.size() == 1);
        CHECK(skipped[0].level == log::Level::info);
        CHECK(skipped[0].field("shutdown.phase") == "b");
        CHECK(skipped[0].field("shutdown.tasks") == "2");
      },
      abc([](ShutdownPhase& b) { b.is_enabled = false; }));
}

// ---- how often, from where ----------------------------------------------------------------------

TEST_CASE("180l it runs once, and the first reason counts") {
  under_seeds(
      [](SeededTest& test) {
        const Ref one = worker(test, "one", {{"a", "slow"}, {"b", "done"}});
        test.world.begin_shutdown("SIGTERM");
        test.world.begin_shutdown("guardian-stopped");
        CHECK_FALSE(is_over(test));
        finish(test, one);
        REQUIRE(is_over(test));
        CHECK(test.world.shutdown_outcome()->reason == "SIGTERM");
        CHECK(test.count("one does a/slow for SIGTERM") == 1);
        CHECK(test.count("one does b/done for SIGTERM") == 1);
        test.world.begin_shutdown("SIGINT");
        REQUIRE(is_over(test));  // at once
        CHECK(test.world.shutdown_outcome()->reason == "SIGTERM");
        CHECK(phases_begun(test) == "a b");
      },
      abc());
}

TEST_CASE("180l it may begin with a phase: those before it do not run") {
  under_seeds(
      [](SeededTest& test) {
        worker(test, "one", {{"a", "done"}, {"b", "done"}, {"c", "done"}});
        test.world.begin_shutdown("SIGTERM", "b");
        CHECK(is_over(test));
        CHECK(phases_begun(test) == "b c");
        CHECK(test.count("one does a/done for SIGTERM") == 0);
      },
      abc());
}

TEST_CASE("180l without tasks it is over at once, and there is no actor for it") {
  under_seeds([](SeededTest& test) {
    test.world.begin_shutdown("SIGTERM");
    REQUIRE(is_over(test));
    CHECK(test.world.shutdown_outcome()->reason == "SIGTERM");
    CHECK_FALSE(test.find("/system/shutdown"));
    CHECK(phases_begun(test).empty());
  });
}

TEST_CASE("180l a system that is stopping already runs no phase") {
  under_seeds(
      [](SeededTest& test) {
        worker(test, "one", {{"a", "never ends"}});
        test.world.system().terminate();
        test.world.begin_shutdown("guardian-failed");
        CHECK(is_over(test));
        CHECK(test.world.shut_down());
        CHECK(test.count("one does a/never ends for guardian-failed") == 0);
        CHECK(phases_begun(test).empty());
      },
      abc());
}

// ---- the ends of actors -------------------------------------------------------------------------

TEST_CASE("180l an actor that has stopped has nothing left to do") {
  under_seeds(
      [](SeededTest& test) {
        const Ref one = worker(test, "one", {{"a", "slow"}});
        const Ref two = worker(test, "two", {{"a", "slow"}, {"b", "slow"}});
        worker(test, "three", {{"b", "stop"}});
        worker(test, "four", {{"c", "throw"}});
        test.stop(one);
        test.world.begin_shutdown("SIGTERM");
        CHECK(test.world.events("shutdown.phase").front().field("shutdown.tasks") == "1");
        CHECK_FALSE(is_over(test));
        test.stop(two);  // while its task runs
        CHECK(test.count("three does b/stop for SIGTERM") == 1);
        CHECK(test.count("two does b/slow for SIGTERM") == 0);
        test.world.advance(5s);
        CHECK(test.count("four does c/throw for SIGTERM") == 1);
        REQUIRE(is_over(test));
        CHECK(phases_begun(test) == "a b c");
      },
      abc());
}

TEST_CASE("180l the end of an actor may be the task: it is told to stop, and waited for") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn<Judge>("boss");
        const Ref one = test.spawn_under(boss, "one");
        const Ref gone = test.spawn("gone");
        test.stop(gone);
        test.perform(boss, [&](ScriptedActor&, Context& ctx) {
          stop_on_shutdown(ctx, "a", "end of one", one);
          stop_on_shutdown(ctx, "a", "end of what has ended", gone);
          stop_on_shutdown(ctx, "b", "own end", ctx.self());
        });
        test.world.begin_shutdown("SIGTERM");
        CHECK(is_over(test));
        CHECK(faults(test).empty());
        CHECK_FALSE(test.is_alive(one));
        CHECK_FALSE(test.is_alive(boss));
        CHECK(test.came_in_order({"one post_stop 0", "boss post_stop 0"}));
        CHECK(phases_begun(test) == "a b");
      },
      abc());
}

}  // namespace actord::conformance::shutdowns
