// SPDX-License-Identifier: Apache-2.0
//
// Reconfiguration while actors run, without memory to carry it out.
#include "memory_shortage.hpp"
#include "reconfigure_support.hpp"

namespace actord::conformance {

namespace {

Node child(std::string name, std::string content, std::string dispatcher = {}) {
  return {std::move(name), {{"leaf"}}, {}, false, std::move(dispatcher), std::move(content)};
}

/// A test before the turn in which `path` takes another configuration over; the schedule is the
/// same each time.
struct Moment {
  Moment(const Nodes& before, const Nodes& wanted, std::string_view path)
      : test(1, boot(before)), who(test.find(path)), change(configure(test, wanted)) {}

  bool has_order() { return test.cell(who).system.has_mail(); }
  /// The number of steps until that turn is the next one.
  static int steps_to(const Nodes& before, const Nodes& wanted, std::string_view path) {
    Moment rehearsal(before, wanted, path);
    REQUIRE(rehearsal.test.step_until([&] { return rehearsal.has_order(); }));
    int steps = 0;
    for (; rehearsal.has_order(); ++steps) rehearsal.test.world.step();
    rehearsal.test.world.run();
    rehearsal.test.end();
    return steps - 1;
  }
  /// Returns true if the turn needed more than `spared` allocations, so that one has failed.
  bool take_over(int steps, int spared) {
    REQUIRE(test.step_until([&] { return has_order(); }));
    for (; steps > 0; --steps) test.world.step();
    allocations_to_spare = spared;
    allocations_to_fail = 1;
    test.world.step();
    return std::exchange(allocations_to_fail, 0) == 0;
  }

  SeededTest test;
  Ref who;
  Change change;
};

}  // namespace

TEST_CASE("reload: without memory an actor keeps what it had, and the reload ends and says so") {
  const Nodes before{{"top", {child("same", "a"), child("gone", "a"), child("other", "a")}}};
  const Nodes wanted{{"top",
                      {child("same", "b"), child("other", "a", "blocking-io"), child("new", "a")},
                      restarting()}};
  const int steps = Moment::steps_to(before, wanted, "/user/top");
  int kept = 0;
  for (int spared = 0;; ++spared) {
    CAPTURE(spared);
    Moment moment(before, wanted, "/user/top");
    auto& [test, top, change] = moment;
    const Ref same = test.find("/user/top/same");
    const bool has_failed = moment.take_over(steps, spared);
    test.world.run();
    CHECK(*change.is_done);
    CHECK(change.reconfiguration->awaited().empty());
    const actor::Reconfiguration::Shortfall shortfall = change.reconfiguration->shortfall();
    CHECK(shortfall.actors == (has_failed ? 1 : 0));
    if (!has_failed) {
      test.end();
      break;
    }
    CHECK(shortfall.first == top.value);
    if (!test.is_alive(top)) {  // it had to start an actor: stopped with all its children
      CHECK(test.world.events("actor.emergency-stop").size() == 1);
      for (const char* path : {"same", "same/leaf", "gone", "other", "other/leaf", "new"})
        CHECK(test.find(std::string{"/user/top/"} + path) == Ref{});
      test.end();
      continue;
    }
    ++kept;
    const auto failed = test.world.events("actor.reconfiguration-failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("actor.path") == "/user/top");
    for (const char* path : {"same/leaf", "gone/leaf", "other/leaf"})
      CHECK(test.answers(test.find(std::string{"/user/top/"} + path)));
    CHECK(test.cell(same).props->node->content == "a");
    CHECK(test.find("/user/top/new") == Ref{});
    const Change again = reconfigure(test, wanted);
    CHECK(*again.is_done);
    CHECK(again.reconfiguration->shortfall().actors == 0);
    for (const char* path : {"same/leaf", "other/leaf", "new/leaf"})
      CHECK(test.answers(test.find(std::string{"/user/top/"} + path)));
    CHECK(test.find("/user/top/gone") == Ref{});
    CHECK(test.cell(same).props->node->content == "b");
    test.end();
  }
  CHECK(kept > 5);
}

}  // namespace actord::conformance
