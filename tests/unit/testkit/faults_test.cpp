// SPDX-License-Identifier: Apache-2.0
//
// Planned faults: each moment of an actor's life fails as if its own code had failed.
#include <doctest/doctest.h>

#include "unit/testkit/counter.hpp"

using namespace counting;
using actord::testkit::Event;
using actord::testkit::Moment;

TEST_SUITE_BEGIN("testkit/faults");

TEST_CASE("the n-th message fails before its handler, and only where it was planned") {
  CounterTest system;
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  const auto other = system.spawn<Counter>("other", Counter::Config{});
  system.fail<std::logic_error>({.path = "/user/counter", .after = 2}, "third time unlucky");
  for (int n = 1; n <= 4; ++n) {
    system.send(counter, Add{n});
    system.send(other, Add{n});
  }
  CHECK(system.events("counting.added").size() == 7);
  const Event failed = system.expect_event(
      "actor.failed", {{"actor.path", "/user/counter"}, {"failure.type", "std::logic_error"}});
  CHECK(failed.field("failure.message") == "third time unlucky");
  CHECK(failed.field("failure.types") == "std::logic_error std::exception");
  CHECK(failed.field("message.type") == "counting.Add/1");
  CHECK(system.restarts(counter) == 1);
  CHECK(system.restarts(other) == 0);
  CHECK(system.faults_left() == 0);
}

TEST_CASE("a fault may wait for one type of message") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto counter = system.spawn<Counter>("counter", Counter::Config{});
  system.fail<Overflow>({.path = "/user/counter", .message = actord::message_name<Get>});
  probe.send(counter, Add{1});
  CHECK(system.faults_left() == 1);
  probe.send(counter, Get{});
  probe.expect_none();
  CHECK(system.faults_left() == 0);
  probe.send(counter, Get{});
  CHECK(probe.expect<Total>().n == 0);  // it was restarted in between
}

TEST_CASE("a fault reaches an actor spawned by another one, too, and its own supervisor judges") {
  CounterTest system;
  auto probe = system.probe("probe");
  system.fail<std::bad_alloc>({.path = "/user/boss/child", .moment = Moment::pre_start});
  const auto boss = system.spawn<Boss>("boss");
  const Event failed = system.expect_event("actor.failed", {{"supervisor.path", "/user/boss"}});
  CHECK(failed.field("failure.phase") == "pre_start");
  CHECK(failed.field("failure.cause.type") == "std::bad_alloc");
  probe.send(boss, Get{});
  CHECK(probe.expect<Total>().n == 5);  // the arguments that it was spawned with
}

TEST_CASE("fail_next fails the next message of an actor at hand") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto boss = system.spawn<Boss>("boss");
  const auto child = system.find("/user/boss/child");
  system.send(boss, Add{1});
  system.fail_next<Overflow>(child);
  system.send(boss, Add{1});
  probe.send(boss, Get{});
  CHECK(probe.expect<Total>().n == 6);  // resumed: five and one; the other message is lost
  system.fail_next<std::runtime_error>(child);
  system.send(boss, Add{1});
  probe.send(boss, Get{});
  CHECK(probe.expect<Total>().n == 5);
  system.expect_event("actor.restarted", {{"actor.path", "/user/boss/child"}});
}

TEST_CASE("what is no exception can be thrown as well, and escalates") {
  CounterTest system;
  const auto boss = system.spawn<Boss>("boss");
  system.fail_next<int>(system.find("/user/boss/child"));
  system.send(boss, Add{1});
  const Event failed = system.expect_event("actor.failed");
  CHECK(failed.field("failure.types") == "int actord::ForeignException");
}

TEST_CASE("every moment of a life can fail, and the log says which it was") {
  const std::pair<Moment, std::string_view> moments[] = {
      {Moment::constructor, "constructor"},   {Moment::pre_start, "pre_start"},
      {Moment::message, "receive"},           {Moment::pre_restart, "pre_restart"},
      {Moment::post_restart, "post_restart"}, {Moment::post_stop, "post_stop"}};
  for (const auto& [moment, phase] : moments) {
    CAPTURE(phase);
    CounterTest system;
    system.fail<Overflow>({.path = "/user/counter", .moment = moment}, "as planned");
    const auto counter = system.spawn<Counter>("counter", Counter::Config{});
    if (moment == Moment::message || moment == Moment::pre_restart ||
        moment == Moment::post_restart) {
      system.send(counter, Add{1000});
    }
    if (moment == Moment::post_stop) system.stop(counter);
    CHECK(system.faults_left() == 0);
    bool is_logged = false;
    for (const Event& event : system.events())
      is_logged = is_logged || (event.field("failure.phase") == phase &&
                                event.field("failure.message").find("as planned") == 0);
    CHECK(is_logged);
  }
}

TEST_CASE("an actor in another state fails there, too") {
  CounterTest system;
  auto probe = system.probe("probe");
  const auto counter = system.spawn<Counter>("counter", Counter::Config{9, ""});
  probe.send(counter, Close{});
  probe.send(counter, Add{1});
  CHECK(probe.expect<Total>().n == -2);
  system.fail<Overflow>({.path = "/user/counter"});
  probe.send(counter, Add{1});
  probe.expect_none();
  CHECK(system.restarts(counter) == 1);
  probe.send(counter, Get{});
  CHECK(probe.expect<Total>().n == 9);  // a restart returns to the first state
}

TEST_SUITE_END();
