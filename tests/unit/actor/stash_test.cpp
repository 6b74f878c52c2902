// SPDX-License-Identifier: Apache-2.0
//
// What a handler may do with a message that it has just stashed. The stash itself is tested in the
// conformance tests of supervision.md 153 to 157.
#include <doctest/doctest.h>
#include <actord/actord.hpp>

#include <string>
#include <vector>

#include "testkit/world.hpp"

namespace stash_test {

struct Text {
  std::string text;
};
ACTORD_MESSAGE(Text, "stash_test.Text/1", text)

using Lines = std::vector<std::string>;

/// Stashes the first two texts, unstashes them at once or later, and reads a text after stashing
/// it.
class Reader : public actord::Actor {
 public:
  Reader(actord::Context&, Lines* lines, bool takes_back_at_once)
      : lines_(lines), takes_back_at_once_(takes_back_at_once) {}

  void read(actord::Context& ctx, const Text& message) {
    if (stashed_ < 2) {
      ++stashed_;
      ctx.stash();
      if (takes_back_at_once_) ctx.unstash_all();
      lines_->push_back("later " + message.text);
      return;
    }
    if (stashed_ == 2 && !takes_back_at_once_) {
      ++stashed_;
      ctx.unstash_all();
    }
    lines_->push_back("now " + message.text);
  }

  using Receive = actord::Handlers<&Reader::read>;

 private:
  Lines* lines_;
  bool takes_back_at_once_;
  int stashed_ = 0;
};

const std::string one = "one, which is too long for the string to hold itself";
const std::string two = "two, which is too long for the string to hold itself";
const std::string three = "three, which is too long for the string to hold itself";

void begin(actord::testkit::World& world) {
  world.use(*actord::plugin_table<actord::Behaviours<>, actord::Messages<Text>>("stash_test", "1"));
  world.start();
}

TEST_SUITE_BEGIN("actor/stash");

TEST_CASE("a stashed message can be read until its handler is done, even the newest one") {
  for (const bool comes_alone : {true, false}) {
    CAPTURE(comes_alone);
    Lines lines;
    actord::testkit::World world;
    begin(world);
    const auto reader = world.spawn<Reader>("reader", &lines, false);
    for (const auto& text : {one, two, three}) {
      world.tell(reader, Text{text});
      if (comes_alone) world.run();
    }
    world.run();
    CHECK(lines ==
          Lines{"later " + one, "later " + two, "now " + three, "now " + one, "now " + two});
  }
}

TEST_CASE("a message that is stashed and taken back in one handler comes next") {
  Lines lines;
  actord::testkit::World world;
  begin(world);
  const auto reader = world.spawn<Reader>("reader", &lines, true);
  for (const auto& text : {one, two}) world.tell(reader, Text{text});
  world.run();
  CHECK(lines == Lines{"later " + one, "later " + one, "now " + one, "now " + two});
}

TEST_SUITE_END();

}  // namespace stash_test
