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
