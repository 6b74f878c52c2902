// SPDX-License-Identifier: Apache-2.0
//
// Another text replaces the configuration: back-off supervisors, and what a reload leaves alone
// because it means the same.
#include "conformance/config/backoff_child.hpp"
#include "conformance/config/config_support.hpp"

namespace actord::conformance {

namespace {

/// "/user/x" with the actor "/user/x/x" behind it.
std::string behind(const std::string& backoff, const std::string& rest = "") {
  return "actord.user {\n" +
         actor("x", rest +
                        "\nbackoff-supervisor { mode = on-stop, max = 10 s, random-factor = 0, "
                        "reset = manual, " +
                        backoff + " }") +
         "}";
}

const std::string stopping = "supervisor-strategy = stopping";

}  // namespace

TEST_CASE("reload: other delays restart a back-off supervisor, and with it what stands behind it") {
  under_config(behind("min = 100 ms", stopping), [](SeededTest& test) {
    const Ref supervisor = test.find("/user/x"), before = child(test);
    CHECK(reload(test, behind("min = 300 ms", stopping)));
    CHECK(test.find("/user/x") == supervisor);
    CHECK(test.world.incarnation(supervisor.value) == 1);
    CHECK_FALSE(test.is_alive(before));
    test.fail<Restarting>(child(test));
    CHECK(time_until_child(test) == 300 * ms);
  });
}

TEST_CASE("reload: a back-off supervisor whose block is the same goes on counting") {
  under_config(behind("min = 100 ms", stopping), [](SeededTest& test) {
    const Ref supervisor = test.find("/user/x");
    test.fail<Restarting>(child(test));
    CHECK(time_until_child(test) == 100 * ms);
    CHECK(reload(test, "# moved\n" + behind("min = 100 ms", "supervisor-strategy = stopping")));
    CHECK(test.world.incarnation(supervisor.value) == 0);
    test.fail<Restarting>(child(test));
    CHECK(time_until_child(test) == 200 * ms);
  });
}

TEST_CASE("reload: the strategy of a back-off supervisor holds from the next failure on") {
  under_config(behind("min = 100 ms", stopping), [](SeededTest& test) {
    const Ref before = child(test);
    CHECK(reload(test, behind("min = 100 ms", "supervisor-strategy { decider.default = resume }")));
    test.fail<Restarting>(before);
    CHECK(child(test) == before);
    CHECK(test.answers(before));
  });
}

TEST_CASE("reload: while its child is down, a back-off supervisor starts what stands there then") {
  under_config(behind("min = 100 ms", stopping), [](SeededTest& test) {
    test.fail<Restarting>(child(test));
    CHECK_FALSE(child(test));
    CHECK(reload(test, behind("min = 100 ms", stopping + "\ndispatcher = blocking-io")));
    CHECK_FALSE(child(test));
    CHECK(time_until_child(test) == 100 * ms);
    CHECK(test.cell(child(test)).dispatcher.load() == 2);
  });
}

TEST_CASE("reload: a child of another kind comes with a restart of its back-off supervisor") {
  under_config(behind("min = 100 ms", stopping), [](SeededTest& test) {
    const Ref supervisor = test.find("/user/x"), before = child(test);
    CHECK(reload(test, behind("min = 100 ms", stopping + "\ndispatcher = blocking-io")));
    CHECK(test.world.incarnation(supervisor.value) == 1);
    CHECK(child(test) != before);
    CHECK(test.cell(child(test)).dispatcher.load() == 2);
    CHECK(test.answers(child(test)));
  });
}

TEST_CASE("reload: an actor that gets a back-off supervisor stands behind it from then on") {
  under_config("actord.user {\n" + actor("x") + "}", [](SeededTest& test) {
    const Ref before = test.find("/user/x");
    CHECK(reload(test, behind("min = 100 ms", stopping)));
    CHECK_FALSE(test.is_alive(before));
    CHECK(test.answers(child(test)));
    CHECK(reload(test, "actord.user {\n" + actor("x") + "}"));
    CHECK_FALSE(child(test));
    CHECK(test.answers(test.find("/user/x")));
  });
}

TEST_CASE("reload: a pattern applies to existing actors as far as possible") {
  const auto deployed = [](const std::string& rules) {
    return "actord.user {\n" + actor("top") + "}\nactord.actor.deployment { \"/user/*\" { " +
           rules + " } }";
  };
  under_config(deployed("supervisor-strategy = stopping, stash-capacity = 1"),
               [&](SeededTest& test) {
                 const Ref top = test.find("/user/top"), below = test.spawn_under(top, "below");
                 CHECK(reload(test, deployed("supervisor-strategy { decider.default = resume }, "
                                             "stash-capacity = 9, dispatcher = blocking-io")));
                 test.fail<Restarting>(below);
                 CHECK(test.answers(below));
                 CHECK(test.cell(top).props->stash_capacity == 9);
                 CHECK(test.cell(top).dispatcher.load() == 1);  // the new one is for later actors
                 CHECK(test.world.incarnation(top.value) == 0);
               });
}

}  // namespace actord::conformance
