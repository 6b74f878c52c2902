// SPDX-License-Identifier: Apache-2.0
//
// The records of scheduled messages: their numbers, and the calls that only a bug of ours would
// make. The times of sending are tested in tests/conformance.
#include "system/scheduler.hpp"

#include <doctest/doctest.h>

#include "actor/token.hpp"
#include "support/dies.hpp"
#include "testkit/world.hpp"

namespace actord::system {

TEST_SUITE_BEGIN("system/schedule");

using support::assertion_broken_by;
namespace token = actor::token;

namespace {

/// A Scheduler besides the system's own.
struct Bench {
  testkit::World world;
  actor::ThreadState thread{world.system(), nullptr, world.system().log.shared(), 1};
  Scheduler schedule{thread};

  std::uint64_t add_periodic(std::int64_t delay_ns) {
    PoisonPill message;
    return schedule.add_periodic(actor::nobody, {delay_ns, 1'000'000, false}, poison_pill(),
                                 &message);
  }
  std::uint64_t add_once(std::int64_t delay_ns) {
    PoisonPill message;
    return schedule.add_once(thread, actor::nobody, delay_ns, poison_pill(), &message);
  }

 private:
  message::TypeId poison_pill() const { return thread.environment.builtin.poison_pill; }
};

}  // namespace

TEST_CASE("every scheduled message has a number of its own, and can be cancelled once") {
  Bench bench;
  const std::uint64_t numbers[] = {bench.add_once(1'000), bench.add_periodic(1'000),
                                   bench.add_once(1'000), bench.add_periodic(1'000)};
  CHECK(bench.schedule.timers() == 4);
  for (const std::uint64_t number : numbers) {
    CHECK(number != 0);
    CHECK(bench.schedule.cancel(number));
    CHECK_FALSE(bench.schedule.cancel(number));
  }
  CHECK(bench.schedule.timers() == 0);
}

TEST_CASE("a series that fires was begun, and is due") {
  Bench bench;
  const auto fires = [&](std::uint64_t number) {
    return assertion_broken_by(
        [&] { bench.schedule.fire_periodic(token::make(token::Kind::periodic, number)); });
  };
  const std::string never_begun = "rest != 0 && rest <= last_periodic_";
  CHECK(fires(1) == never_begun);
  bench.add_periodic(1'000);
  CHECK(fires(0) == never_begun);
  CHECK(fires(2) == never_begun);
  CHECK(fires(1) == "periodic.due_ns <= external_.now_ns()");
}

TEST_CASE("the message of a timer is asked for where there is one") {
  const sched::Timer tick{0, 0, token::make(token::Kind::key, 1)};
  CHECK(assertion_broken_by([&] { Scheduler::envelope_of(tick); }) == "is_message(timer)");
}

TEST_CASE("a wheel gets one number") {
  Bench bench;
  sched::TimerWheel wheel;
  bench.schedule.add_wheel(wheel);
  CHECK(wheel.id == 1);
  CHECK(assertion_broken_by([&] { bench.schedule.add_wheel(wheel); }) ==
        "std::ranges::find(wheels_, &wheel) == wheels_.end()");
}

TEST_SUITE_END();

}  // namespace actord::system
