// SPDX-License-Identifier: Apache-2.0
#include "system/dead_letter_box.hpp"

#include <doctest/doctest.h>

#include "message/canonical_text.hpp"
#include "testkit/world.hpp"

namespace mail {

struct Note {
  std::string text;
};
ACTORD_MESSAGE(Note, "mail.Note/1", text)

struct Number {
  std::int64_t n = 0;
};
ACTORD_MESSAGE(Number, "mail.Number/1", n)

struct Quiet {
  static constexpr std::uint32_t message_flags = ACTORD_NO_DEAD_LETTER;
};
ACTORD_MESSAGE(Quiet, "mail.Quiet/1")

/// Takes numbers only, and sends a note to a path without an actor.
struct Clerk : actord::Actor {
  void number(actord::Context& ctx, const Number& number) {
    ctx.select("/user/nobody").tell(Note{"for nobody " + std::to_string(number.n)});
  }
  using Receive = actord::Handlers<&Clerk::number>;
};

}  // namespace mail

namespace actord::system {

TEST_SUITE_BEGIN("system/dead_letter_box");

using testkit::World;

namespace {

void use_messages(World& world) {
  world.use(
      *plugin_table<Behaviours<>, Messages<mail::Note, mail::Number, mail::Quiet>>("mail", "1"));
}

std::string contents(const DeadLetterBox& box) {
  std::string text;
  for (const KeptLetterPtr& each : box.all())
    text += std::string{name_of(each->reason)} + ' ' +
            message::canonical_text(each->message.type(), each->message.content()) + '\n';
  return text;
}

}  // namespace

TEST_CASE("messages are kept with their content, whatever the reason") {
  World world;
  use_messages(world);
  world.system().dead_letter_box().set_bytes_max(1 << 20);
  world.start();
  const actor::Ref clerk = world.spawn<mail::Clerk>("clerk");
  world.send(clerk, mail::Note{"of a type that it has no handler for"}, clerk);
  world.send(clerk, mail::Number{7});
  world.tell(clerk, mail::Number{8});
  world.stop(clerk);
  world.run();
  world.send(clerk, mail::Note{"too late"});
  world.send(clerk, mail::Quiet{});
  const auto letters = world.system().dead_letter_box().all();
  // canonical_text() writes each text and each name of a member behind its size.
  CHECK(contents(world.system().dead_letter_box()) ==
        "unhandled {1;k4;texts36;of a type that it has no handler for)\n"
        "no-actor {1;k4;texts12;for nobody 7)\n"
        "stopped {1;k1;ni8;)\n"
        "stopped {1;k4;texts8;too late)\n");
  REQUIRE(letters.size() == 4);
  CHECK(letters[0]->number == 1);
  CHECK(letters[0]->recipient_path == "/user/clerk");
  CHECK(letters[0]->sender_path == "/user/clerk");
  CHECK(letters[1]->recipient_path == "/user/nobody");
  CHECK(letters[1]->sender_path == "/user/clerk");
  CHECK(letters.back()->sender_path.empty());
}

TEST_CASE("the oldest letters make room for new ones, and none is kept without room") {
  World world;
  use_messages(world);
  DeadLetterBox& box = world.system().dead_letter_box();
  world.start();
  const actor::Ref clerk = world.spawn<mail::Clerk>("clerk");
  world.send(clerk, mail::Note{"a"});
  CHECK(box.all().empty());
  box.set_bytes_max(1 << 20);
  world.send(clerk, mail::Note{"b"});
  REQUIRE(box.all().size() == 1);
  const std::size_t bytes = box.all().front()->bytes;
  CHECK(bytes > sizeof(mail::Note));
  box.set_bytes_max(2 * bytes);
  for (const char* text : {"c", "d"}) world.send(clerk, mail::Note{text});
  REQUIRE(box.all().size() == 2);
  CHECK(box.find(1) == nullptr);
  REQUIRE(box.find(3) != nullptr);
  world.send(clerk, mail::Note{std::string(3 * bytes, 'x')});
  CHECK(box.all().size() == 2);  // it is larger than all of the memory
  CHECK(box.remove(2));
  CHECK_FALSE(box.remove(2));
  box.set_bytes_max(0);
  CHECK(box.all().empty());
}

}  // namespace actord::system
