// SPDX-License-Identifier: Apache-2.0
//
// How many messages wait, as the actors count them (actor/census.hpp).
#include "seeded_test.hpp"

#include <algorithm>

namespace actord::conformance {

namespace {

/// What the actor answers; nothing if it was not asked or did not answer.
std::optional<actor::Census::Count> count_of(const actor::Census& census, Ref who) {
  const auto counts = census.counts();
  const auto found = std::ranges::find(counts, who.value, &actor::Census::Count::actor);
  return found != counts.end() ? std::optional{*found} : std::nullopt;
}

}  // namespace

TEST_CASE("an actor counts the messages that wait when the census reaches it, and their type") {
  under_seeds([](SeededTest& test) {
    const Ref busy = test.spawn("busy"), idle = test.spawn("idle");
    test.world.run();
    for (int n = 0; n < 50; ++n) test.note(busy, n);
    test.world.tell(busy.value, Question{1});
    const auto census = test.world.system().take_census();
    CHECK(census->asked.size() >= 1);
    CHECK_FALSE(count_of(*census, idle));
    test.world.run();
    // It looks for system messages before each message, so none was handled before.
    const auto count = count_of(*census, busy);
    REQUIRE(count);
    CHECK(count->messages == 51);
    CHECK_FALSE(count->has_more);
    CHECK(test.world.system().types.name(count->type) == "play.Note/1");
    CHECK(count->of_type == 50);
    CHECK(test.count("busy got 49") == 1);
  });
}

TEST_CASE("a suspended actor counts, too, and what it has stashed") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
    for (int n = 0; n < 3; ++n) test.note(child, n);
    test.world.run();
    test.world.send_system(child.value, actor::SystemMessage::suspend());
    test.world.run();
    for (int n = 0; n < 4; ++n) test.note(child, n);
    const auto census = test.world.system().take_census();
    test.world.run();
    const auto count = count_of(*census, child);
    REQUIRE(count);
    CHECK(count->messages == 7);
    test.world.send_system(child.value, actor::SystemMessage::resume());
    test.world.run();
  });
}

TEST_CASE("an actor that has ended is not asked") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.world.run();
    test.note(child, 1);
    test.world.stop(child.value);
    test.world.run();
    const auto census = test.world.system().take_census();
    CHECK(std::ranges::count(census->asked, child.value) == 0);
  });
}

}  // namespace actord::conformance
