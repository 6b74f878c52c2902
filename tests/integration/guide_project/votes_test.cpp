// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <actord/testkit.hpp>

#include "votes.hpp"

TEST_CASE("votes outlive a restart") {
  actord::testkit::TestSystem system;
  system.use(actord_plugin_v1());
  const actord::Ref counter = system.spawn("counter", "votes/Counter");
  actord::testkit::Probe voter = system.probe("voter");

  CHECK(voter.ask<votes::Count>(counter, votes::Vote{3}).n == 3);
  voter.send(counter, votes::Vote{101});  // makes it fail
  system.expect_event("actor.restarted", {{"actor.path", "/user/counter"}});
  CHECK(voter.ask<votes::Count>(counter, votes::Vote{1}).n == 4);
}

TEST_CASE("a poll goes on where it was, and closes a day after the last answer") {
  using namespace std::chrono_literals;
  actord::testkit::TestSystem system;
  system.use(actord_plugin_v1());
  actord::Ref poll = system.spawn("poll", "votes/Poll");
  actord::testkit::Probe voter = system.probe("voter");
  voter.ask<votes::Thanks>(poll, votes::Answer{true});
  voter.ask<votes::Thanks>(poll, votes::Answer{false});
  voter.send(poll, actord::PoisonPill{});
  poll = system.spawn("poll", "votes/Poll");  // as after a restart of actord
  system.advance(23h);
  voter.ask<votes::Thanks>(poll, votes::Answer{true});
  system.advance(24h);
  voter.send(poll, votes::Answer{true});
  voter.expect_none(1s);
  const auto result = voter.ask<votes::Result>(poll, votes::GetResult{});
  CHECK(result.yes == 2);
  CHECK(result.no == 1);
}

TEST_CASE("a door is as it was left, and a page arrives") {
  actord::testkit::TestSystem system;
  system.use(actord_plugin_v1());
  actord::testkit::Probe guest = system.probe("guest");
  const actord::Ref door = system.spawn("door", "votes/Door");
  CHECK(guest.ask<votes::IsOpen>(door, votes::Open{true}).is_open);

  system.spawn("archive", "votes/Archive");
  guest.send(system.spawn("post", "votes/Post"), votes::Publish{"results"});
  guest.expect_none(std::chrono::seconds{30});
}
