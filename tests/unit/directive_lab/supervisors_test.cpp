// SPDX-License-Identifier: Apache-2.0
//
// The supervisors of the laboratory under the public test kit, as an example of how an author tests
// a plugin. The cases follow the founding documents of fault handling, in their order.
#include <doctest/doctest.h>
#include <actord/testkit.hpp>

#include "directive_lab/lab_supervisors.hpp"

using actord::Ref;
using actord::testkit::Event;
using actord::testkit::Moment;
using actord::testkit::Probe;
using actord::testkit::TestSystem;

namespace {

// The laboratory, and a probe that sends to its actors.
class Laboratory : public TestSystem {
 public:
  Ref child_of(Ref supervisor) {
    visitor.send(supervisor, lab::NewChild{"child"});
    return visitor.expect<lab::ChildBorn>().child;
  }
  std::int64_t value_of(Ref child) {
    visitor.send(child, lab::Get{});
    return visitor.expect<lab::Value>().value;
  }
  void trouble(Ref child, lab::Trouble trouble) { visitor.send(child, lab::Fail{trouble}); }

 private:
  Probe enter() {
    use(actord_plugin_v1());
    return probe("visitor");
  }

 public:
  Probe visitor = enter();
};

}  // namespace

TEST_SUITE_BEGIN("directive_lab/supervisors");

TEST_CASE("arithmetic resumes: the child keeps its number") {
  Laboratory laboratory;
  const Ref child = laboratory.child_of(laboratory.spawn<lab::Supervisor>("supervisor"));
  laboratory.visitor.send(child, lab::Set{42});
  laboratory.trouble(child, lab::Trouble::arithmetic);
  CHECK(laboratory.value_of(child) == 42);
  CHECK(laboratory.restarts(child) == 0);
  const Event failed = laboratory.expect_event(
      "actor.failed", {{"decision.directive", "resume"}, {"decision.rule", "std::domain_error"}});
  CHECK(failed.level == actord::Level::warning);
  CHECK(failed.field("failure.type") == "lab::ArithmeticError");
}

TEST_CASE("a null reference restarts: the same address, a number as new") {
  Laboratory laboratory;
  const Ref child = laboratory.child_of(laboratory.spawn<lab::Supervisor>("supervisor"));
  laboratory.visitor.send(child, lab::Set{42});
  laboratory.trouble(child, lab::Trouble::null_reference);
  CHECK(laboratory.value_of(child) == 0);
  CHECK(laboratory.restarts(child) == 1);
  laboratory.expect_event("actor.restarted", {{"actor.path", "/user/supervisor/child"}});
}

TEST_CASE("a bad argument stops: the watcher gets Terminated") {
  Laboratory laboratory;
  const Ref child = laboratory.child_of(laboratory.spawn<lab::Supervisor>("supervisor"));
  laboratory.visitor.watch(child);
  laboratory.trouble(child, lab::Trouble::bad_argument);
  laboratory.visitor.expect_terminated(child);
  CHECK_FALSE(laboratory.is_alive(child));
}

TEST_CASE("anything else escalates: the supervisor is restarted, and its child is gone") {
  Laboratory laboratory;
  const Ref supervisor = laboratory.spawn<lab::Supervisor>("supervisor");
  const Ref child = laboratory.child_of(supervisor);
  laboratory.visitor.watch(child);
  laboratory.trouble(child, lab::Trouble::other);
  laboratory.visitor.expect_terminated(child);
  CHECK(laboratory.restarts(supervisor) == 1);
  const Event failed = laboratory.expect_event("actor.failed");
  CHECK(failed.field("supervisor.path") == "/user");
  CHECK(failed.field("decision.path.0.supervisor") == "/user/supervisor");
  laboratory.expect_no_event("actor.failed");  // logged once, by the supervisor that decided
}

TEST_CASE("the children of the keeping supervisor survive its restart, and are restarted") {
  Laboratory laboratory;
  const Ref supervisor = laboratory.spawn<lab::KeepingSupervisor>("supervisor");
  const Ref child = laboratory.child_of(supervisor);
  laboratory.visitor.send(child, lab::Set{23});
  laboratory.trouble(child, lab::Trouble::other);
  CHECK(laboratory.restarts(supervisor) == 1);
  CHECK(laboratory.restarts(child) == 1);
  CHECK(laboratory.value_of(child) == 0);
}

TEST_CASE("the eleventh restart within a minute is one too many, and a minute later it is not") {
  for (const bool is_later : {false, true}) {
    Laboratory laboratory;
    const Ref child = laboratory.child_of(laboratory.spawn<lab::Supervisor>("supervisor"));
    laboratory.visitor.watch(child);
    for (int i = 0; i < 10; ++i) laboratory.trouble(child, lab::Trouble::null_reference);
    if (is_later) laboratory.advance(std::chrono::seconds{61});
    laboratory.trouble(child, lab::Trouble::null_reference);
    CHECK(laboratory.is_alive(child) == is_later);
    if (!is_later) laboratory.visitor.expect_terminated(child);
    CHECK(laboratory.events("supervisor.limit").size() == (is_later ? 0 : 1));
  }
}

TEST_CASE("a child that cannot be restarted is judged by the failure of its hook") {
  Laboratory laboratory;
  const Ref child = laboratory.child_of(laboratory.spawn<lab::Supervisor>("supervisor"));
  laboratory.visitor.send(child, lab::Set{42});
  laboratory.fail<std::bad_alloc>({.path = laboratory.path(child), .moment = Moment::post_restart});
  laboratory.trouble(child, lab::Trouble::null_reference);
  CHECK(laboratory.faults_left() == 0);
  // No rule names the new failure, so it escalates. A child with a failed start takes its
  // supervisor along, unless the guardian has another strategy.
  laboratory.expect_event("actor.stopped", {{"actor.path", "/user/supervisor"}});
  CHECK_FALSE(laboratory.is_alive(child));
}

TEST_CASE("the piece that the README shows") {
  TestSystem system;
  system.use(actord_plugin_v1());           // the plugin is compiled into the test
  Probe visitor = system.probe("visitor");  // an actor that the test drives
  const Ref supervisor = system.spawn<lab::Supervisor>("supervisor");

  visitor.send(supervisor, lab::NewChild{"child"});
  const Ref child = visitor.expect<lab::ChildBorn>().child;
  visitor.watch(child);

  visitor.send(child, lab::Fail{lab::Trouble::bad_argument});
  visitor.expect_terminated(child);
  system.expect_event("actor.failed", {{"decision.directive", "stop"}});

  system.fail<std::bad_alloc>({.path = "/user/supervisor/next", .moment = Moment::pre_start});
  visitor.send(supervisor, lab::NewChild{"next"});  // fails to start, as planned
  CHECK(system.faults_left() == 0);
  system.expect_event("actor.failed", {{"failure.phase", "pre_start"}});
}

TEST_SUITE_END();
