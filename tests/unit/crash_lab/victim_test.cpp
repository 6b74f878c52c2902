// SPDX-License-Identifier: Apache-2.0
//
// The victim under the public test kit, where it dies only in the one way that no process ends by.
#include <doctest/doctest.h>
#include <unistd.h>
#include <actord/testkit.hpp>

#include <filesystem>

#include "crash_lab/victim.hpp"

using actord::Ref;
using actord::testkit::Probe;
using actord::testkit::TestSystem;
using crash_lab::Counted;
using crash_lab::Moment;
using crash_lab::Victim;
using crash_lab::Way;

namespace {

class Laboratory : public TestSystem {
 public:
  Counted counted(Ref victim) {
    visitor.send(victim, crash_lab::GetCount{});
    return visitor.expect<Counted>();
  }

 private:
  Probe enter() {
    use(actord_plugin_v1());
    return probe("visitor");
  }

 public:
  Probe visitor = enter();
};

Victim::Config dying_in(Moment moment) {
  Victim::Config config;
  config.dies_in = moment;
  config.how = Way::throw_exception;
  return config;
}

}  // namespace

TEST_SUITE_BEGIN("crash_lab/victim");

TEST_CASE("an ordinary exception restarts it: the count is lost, the process is the same") {
  Laboratory laboratory;
  const Ref victim = laboratory.spawn<Victim>("victim");
  laboratory.visitor.send(victim, crash_lab::Count{3});
  const Counted before = laboratory.counted(victim);
  CHECK(before.count == 3);
  CHECK(before.process == getpid());
  laboratory.visitor.send(victim, crash_lab::Die{Way::throw_exception});
  const Counted after = laboratory.counted(victim);
  CHECK(after.count == 0);
  CHECK(after.instance != before.instance);
  CHECK(after.process == before.process);
  laboratory.expect_event("actor.failed", {{"failure.type", "std::runtime_error"}});
}

TEST_CASE("it dies in the hook that its config names, also while it starts") {
  for (const auto& [moment, phase] :
       {std::pair{Moment::constructor, "constructor"}, std::pair{Moment::pre_start, "pre_start"}}) {
    Laboratory laboratory;
    laboratory.spawn<Victim>("victim", dying_in(moment));
    laboratory.expect_event("actor.failed", {{"failure.phase", phase}});
  }
}

TEST_CASE("it dies in the hook that its config names, also while it is restarted") {
  for (const auto& [moment, event] : {std::pair{Moment::pre_restart, "actor.pre_restart-failed"},
                                      std::pair{Moment::post_restart, "actor.failed"},
                                      std::pair{Moment::post_stop, "actor.pre_restart-failed"}}) {
    Laboratory laboratory;
    const Ref victim = laboratory.spawn<Victim>("victim", dying_in(moment));
    laboratory.visitor.send(victim, crash_lab::Die{Way::throw_exception});
    laboratory.expect_event("actor.failed", {{"failure.phase", "receive"}});
    if (moment == Moment::post_restart)
      laboratory.expect_event(event, {{"failure.phase", "post_restart"}});
    else laboratory.expect_event(event);
  }
}

TEST_CASE("victims share a breaker, which their restarts do not close") {
  Laboratory laboratory;
  const Ref one = laboratory.spawn<Victim>("one"), two = laboratory.spawn<Victim>("two");
  const auto called = [&](Ref victim, bool fails) {
    laboratory.visitor.send(victim, crash_lab::Call{fails});
    return laboratory.visitor.expect<crash_lab::Called>();
  };
  for (int i = 0; i < 4; ++i) CHECK(called(i % 2 == 0 ? one : two, true).is_closed);
  CHECK_FALSE(called(one, true).is_closed);
  laboratory.visitor.send(two, crash_lab::Die{Way::throw_exception});
  CHECK_FALSE(called(two, false).was_made);
  laboratory.advance(std::chrono::seconds{30});
  CHECK(called(two, false).is_closed);
  CHECK(called(one, true).was_made);
}

TEST_CASE("it dies while it decides about a child") {
  Laboratory laboratory;
  const Ref victim = laboratory.spawn<Victim>("victim", dying_in(Moment::decide));
  laboratory.visitor.send(victim, crash_lab::NewChild{"child"});
  const Ref child = laboratory.visitor.expect<crash_lab::ChildBorn>().child;
  laboratory.visitor.send(child, crash_lab::Die{Way::throw_exception});
  laboratory.expect_event("actor.failed", {{"failure.phase", "decide"}});
}

TEST_CASE("with `times` it dies so often, and the deaths are counted in a file") {
  const auto deaths =
      std::filesystem::temp_directory_path() / ("crash_lab-" + std::to_string(getpid()));
  Laboratory laboratory;
  Victim::Config config = dying_in(Moment::post_restart);
  config.times = 1;
  config.deaths = deaths;
  const Ref victim = laboratory.spawn<Victim>("victim", config);
  laboratory.visitor.send(victim, crash_lab::Die{Way::throw_exception});
  laboratory.expect_event("actor.failed", {{"failure.phase", "post_restart"}});
  CHECK(std::filesystem::file_size(deaths) == 1);
  std::filesystem::remove(deaths);
}

TEST_CASE("`times` without a file is an error of the config") {
  Laboratory laboratory;
  Victim::Config config = dying_in(Moment::constructor);
  config.times = 1;
  laboratory.spawn<Victim>("victim", config);
  laboratory.expect_event("actor.failed", {{"failure.type", "actord::InitializationFailure"}});
}
