// SPDX-License-Identifier: Apache-2.0
//
// Another configuration while actors run, and no memory to take it over.
#include "memory_shortage.hpp"
#include "reconfigure_play.hpp"

namespace actord::conformance {

namespace {

Node child(std::string name, std::string content, std::string dispatcher = {}) {
  return {std::move(name), {{"leaf"}}, {}, false, std::move(dispatcher), std::move(content)};
}

/// A play before the turn in which `path` takes another configuration over: the same each time.
struct Moment {
  Moment(const Nodes& before, const Nodes& wanted, std::string_view path)
      : play(1, boot(before)), who(play.find(path)), change(configure(play, wanted)) {}

  bool has_order() { return play.cell(who).system.has_mail(); }
  /// So many steps after which that is the next one.
  static int steps_to(const Nodes& before, const Nodes& wanted, std::string_view path) {
    Moment rehearsal(before, wanted, path);
    REQUIRE(rehearsal.play.step_until([&] { return rehearsal.has_order(); }));
    int steps = 0;
    for (; rehearsal.has_order(); ++steps) rehearsal.play.world.step();
    rehearsal.play.world.run();
    rehearsal.play.end();
    return steps - 1;
  }
  /// True: it has needed more than `spared` allocations, and the next one has failed.
  bool take_over(int steps, int spared) {
    REQUIRE(play.step_until([&] { return has_order(); }));
    for (; steps > 0; --steps) play.world.step();
    allocations_to_spare = spared;
    allocations_to_fail = 1;
    play.world.step();
    return std::exchange(allocations_to_fail, 0) == 0;
  }

  Play play;
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
    auto& [play, top, change] = moment;
    const Ref same = play.find("/user/top/same");
    const bool has_failed = moment.take_over(steps, spared);
    play.world.run();
    CHECK(*change.is_done);
    CHECK(change.wish->awaited().empty());
    const actor::Reconfiguration::Shortfall shortfall = change.wish->shortfall();
    CHECK(shortfall.actors == (has_failed ? 1 : 0));
    if (!has_failed) {
      play.end();
      break;
    }
    CHECK(shortfall.first == top.value);
    if (!play.is_alive(top)) {  // it was to start somebody: stopped with all its children
      CHECK(play.world.events("actor.emergency-stop").size() == 1);
      for (const char* path : {"same", "same/leaf", "gone", "other", "other/leaf", "new"})
        CHECK(play.find(std::string{"/user/top/"} + path) == Ref{});
      play.end();
      continue;
    }
    ++kept;
    const auto told = play.world.events("actor.reconfiguration-failed");
    REQUIRE(told.size() == 1);
    CHECK(told[0].field("actor.path") == "/user/top");
    for (const char* path : {"same/leaf", "gone/leaf", "other/leaf"})
      CHECK(play.answers(play.find(std::string{"/user/top/"} + path)));
    CHECK(play.cell(same).props->node->content == "a");
    CHECK(play.find("/user/top/new") == Ref{});
    const Change again = reconfigure(play, wanted);
    CHECK(*again.is_done);
    CHECK(again.wish->shortfall().actors == 0);
    for (const char* path : {"same/leaf", "other/leaf", "new/leaf"})
      CHECK(play.answers(play.find(std::string{"/user/top/"} + path)));
    CHECK(play.find("/user/top/gone") == Ref{});
    CHECK(play.cell(same).props->node->content == "b");
    play.end();
  }
  CHECK(kept > 5);
}

}  // namespace actord::conformance
