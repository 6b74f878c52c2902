// SPDX-License-Identifier: Apache-2.0
//
// Another text in the place of the one that holds: back-off supervisors, and what a reload leaves
// alone because it means the same.
#include "conformance/config/config_play.hpp"

namespace actord::conformance {

namespace {

constexpr std::int64_t ms = 1'000'000;

/// "/user/x" with the puppet "/user/x/x" behind it.
std::string behind(const std::string& backoff, const std::string& rest = "") {
  return "actord.user {\n" +
         actor("x", rest +
                        "\nbackoff-supervisor { mode = on-stop, max = 10 s, random-factor = 0, "
                        "reset = manual, " +
                        backoff + " }") +
         "}";
}

const std::string stopping = "supervisor-strategy = stopping";

Ref child(Play& play) { return play.find("/user/x/x"); }

std::int64_t down_for(Play& play) {
  const std::int64_t begin = play.world.now_ns();
  while (!child(play)) {
    if (!play.world.simulator().advance_to_next_timer()) return -1;
  }
  return play.world.now_ns() - begin;
}

}  // namespace

TEST_CASE("reload: other delays restart a back-off supervisor, and with it what stands behind it") {
  under_config(behind("min = 100 ms", stopping), [](Play& play) {
    const Ref supervisor = play.find("/user/x"), before = child(play);
    CHECK(reload(play, behind("min = 300 ms", stopping)));
    CHECK(play.find("/user/x") == supervisor);
    CHECK(play.world.incarnation(supervisor.value) == 1);
    CHECK_FALSE(play.is_alive(before));
    play.fail<Restarting>(child(play));
    CHECK(down_for(play) == 300 * ms);
  });
}

TEST_CASE("reload: a back-off supervisor whose block is the same goes on counting") {
  under_config(behind("min = 100 ms", stopping), [](Play& play) {
    const Ref supervisor = play.find("/user/x");
    play.fail<Restarting>(child(play));
    CHECK(down_for(play) == 100 * ms);
    CHECK(reload(play, "# moved\n" + behind("min = 100 ms", "supervisor-strategy = stopping")));
    CHECK(play.world.incarnation(supervisor.value) == 0);
    play.fail<Restarting>(child(play));
    CHECK(down_for(play) == 200 * ms);
  });
}

TEST_CASE("reload: the strategy of a back-off supervisor holds from the next failure on") {
  under_config(behind("min = 100 ms", stopping), [](Play& play) {
    const Ref before = child(play);
    CHECK(reload(play, behind("min = 100 ms", "supervisor-strategy { decider.default = resume }")));
    play.fail<Restarting>(before);
    CHECK(child(play) == before);
    CHECK(play.answers(before));
  });
}

TEST_CASE("reload: while its child is down, a back-off supervisor starts what stands there then") {
  under_config(behind("min = 100 ms", stopping), [](Play& play) {
    play.fail<Restarting>(child(play));
    CHECK_FALSE(child(play));
    CHECK(reload(play, behind("min = 100 ms", stopping + "\ndispatcher = blocking-io")));
    CHECK_FALSE(child(play));
    CHECK(down_for(play) == 100 * ms);
    CHECK(play.cell(child(play)).dispatcher.load() == 2);
  });
}

TEST_CASE("reload: a child of another kind comes with a restart of its back-off supervisor") {
  under_config(behind("min = 100 ms", stopping), [](Play& play) {
    const Ref supervisor = play.find("/user/x"), before = child(play);
    CHECK(reload(play, behind("min = 100 ms", stopping + "\ndispatcher = blocking-io")));
    CHECK(play.world.incarnation(supervisor.value) == 1);
    CHECK(child(play) != before);
    CHECK(play.cell(child(play)).dispatcher.load() == 2);
    CHECK(play.answers(child(play)));
  });
}

TEST_CASE("reload: an actor that gets a back-off supervisor stands behind it from then on") {
  under_config("actord.user {\n" + actor("x") + "}", [](Play& play) {
    const Ref before = play.find("/user/x");
    CHECK(reload(play, behind("min = 100 ms", stopping)));
    CHECK_FALSE(play.is_alive(before));
    CHECK(play.answers(child(play)));
    CHECK(reload(play, "actord.user {\n" + actor("x") + "}"));
    CHECK_FALSE(child(play));
    CHECK(play.answers(play.find("/user/x")));
  });
}

TEST_CASE("reload: a pattern holds for who is there already, as far as it can") {
  const auto deployed = [](const std::string& rules) {
    return "actord.user {\n" + actor("top") + "}\nactord.actor.deployment { \"/user/*\" { " +
           rules + " } }";
  };
  under_config(deployed("supervisor-strategy = stopping, stash-capacity = 1"), [&](Play& play) {
    const Ref top = play.find("/user/top"), below = play.spawn_under(top, "below");
    CHECK(reload(play, deployed("supervisor-strategy { decider.default = resume }, "
                                "stash-capacity = 9, dispatcher = blocking-io")));
    play.fail<Restarting>(below);
    CHECK(play.answers(below));
    CHECK(play.cell(top).props->stash_capacity == 9);
    CHECK(play.cell(top).dispatcher.load() == 1);  // that is for those who are created from now on
    CHECK(play.world.incarnation(top.value) == 0);
  });
}

}  // namespace actord::conformance
