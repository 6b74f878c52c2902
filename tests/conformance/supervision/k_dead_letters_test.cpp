// SPDX-License-Identifier: Apache-2.0
//
// Dead letters and mailboxes with a limit: items 146 to 153.
#include "play.hpp"

namespace actord::conformance {

namespace {

Play::Setup logging(std::int64_t dead_letters) {
  Play::Setup setup;
  setup.options.dead_letters_logged = dead_letters;
  return setup;
}

Ref dead_actor(Play& play) {
  const Ref ref = play.spawn("dead");
  play.stop(ref);
  return ref;
}

/// The text of the line about one more dead letter; empty if it is kept back.
std::string next_line(Play& play, Ref dead) {
  play.world.forget_events();
  play.note(dead, 1);
  play.world.run();
  const auto lines = play.world.events("deadletter");
  return lines.empty() ? "" : lines[0].text;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("146 what is sent to a dead actor is published with sender and recipient, and logged") {
  under_seeds([](Play& play) {
    const auto& letters = play.read_dead_letters();
    const Ref sender = play.spawn("sender");
    const Ref dead = dead_actor(play);
    play.world.send(dead.value, Note{1}, sender.value);
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].recipient == dead);
    CHECK(letters[0].sender == sender);
    CHECK(letters[0].type == "play.Note/1");
    const auto lines = play.world.events("deadletter");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::info);
    CHECK(lines[0].field("message.type") == "play.Note/1");
    CHECK(lines[0].field("message.recipient") == "/user/dead");
    CHECK(lines[0].field("message.sender") == "/user/sender");
  });
}

TEST_CASE(
    "147 the last line before the limit says so, then silence, then how many were kept back") {
  under_seeds(
      [](Play& play) {
        const Ref dead = dead_actor(play);
        for (int round = 0; round < 2; ++round) {
          for (int i = 1; i <= 3; ++i) CHECK(next_line(play, dead) == "not delivered");
          CHECK(contains(next_line(play, dead), "no more such lines in the next 300 s"));
          for (int i = 5; i <= 6; ++i) CHECK(next_line(play, dead) == "");
          play.world.advance(300s);
          CHECK(contains(next_line(play, dead), "2 before it were not logged"));
        }
      },
      logging(4));
}

TEST_CASE("148 unhandled messages share the limit") {
  under_seeds(
      [](Play& play) {
        const Ref dead = dead_actor(play);
        CHECK(next_line(play, dead) != "");
        const Ref bound = play.spawn<Bound>("bound");
        for (int i = 0; i < 4; ++i) play.world.send(bound.value, Question{1});
        CHECK(play.world.events("message.unhandled").size() == 2);
        CHECK(next_line(play, dead) == "");
      },
      logging(3));
}

TEST_CASE("149 none are logged if it is off, all if it is on") {
  under_seeds([](Play& play) { CHECK(next_line(play, dead_actor(play)) == ""); }, logging(0));
  under_seeds(
      [](Play& play) {
        const Ref dead = dead_actor(play);
        for (int i = 0; i < 50; ++i) CHECK(next_line(play, dead) == "not delivered");
      },
      logging(-1));
}

TEST_CASE("150 a PoisonPill, a Terminated or a tick that comes too late is no dead letter") {
  under_seeds([](Play& play) {
    const auto& letters = play.read_dead_letters();
    const Ref target = play.spawn("target");
    const Ref watcher = play.spawn("watcher");
    play.world.send(dead_actor(play).value, PoisonPill{});
    play.watch(watcher, target);
    play.perform(watcher, [](Puppet&, Context& ctx) {
      ctx.start_timer("tick", 1ms, Note{1});
      ctx.receive_timeout(1ms);
    });
    play.world.order(watcher.value, actor::Order::suspend);
    play.stop(target);
    play.world.advance(10ms);
    play.stop(watcher);
    CHECK(play.life_of("watcher") == "new 0, pre_start 0, post_stop 0");
    CHECK(letters.empty());
    CHECK(play.world.events("deadletter").empty());
  });
}

TEST_CASE("151 dead letters of the way down are not logged") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn("child");
    play.note(child, 1);
    play.world.system().terminate();
    for (int i = 0; i < 5; ++i) play.note(child, i);
    CHECK(play.world.shut_down());
    CHECK(play.world.events("deadletter").empty());
  });
}

TEST_CASE("152 a dead letter about a dead letter is dropped") {
  under_seeds([](Play& play) {
    const auto& letters = play.read_dead_letters();
    const Ref dead = dead_actor(play);
    play.world.send(dead.value, DeadLetter{});
    play.world.send(dead.value, Unhandled{});
    CHECK(letters.empty());
  });
}

TEST_CASE("153 what a full mailbox does not take is a dead letter at once") {
  Play::Setup setup;
  setup.before_start = [](Play& play) { play.rules = {{"/user/small", {}, "", 3}}; };
  under_seeds(
      [](Play& play) {
        const auto& letters = play.read_dead_letters();
        const Ref small = play.spawn("small");
        for (int round = 1; round <= 3; ++round) {
          play.world.order(small.value, actor::Order::suspend);
          for (int i = 1; i <= 5; ++i) play.note(small, i);
          play.world.run();
          REQUIRE(letters.size() == static_cast<std::size_t>(2 * round));
          CHECK(letters.back().reason == "mailbox-full");
          CHECK(letters.back().recipient == small);
          play.world.order(small.value, actor::Order::resume);
          CHECK(play.count("small got 3") == round);
          CHECK(play.count("small got 4") == 0);
        }
        for (int i = 10; i < 40; ++i) play.world.send(small.value, Note{i});
        CHECK(letters.size() == 6);
        CHECK(play.cell(small).room.load() == 3);
      },
      setup);
}

TEST_CASE("153 a mailbox with a limit keeps count over restart, stash and timers") {
  Play::Setup setup;
  setup.before_start = [](Play& play) { play.rules = {{"/user/small", {}, "", 4}}; };
  under_seeds(
      [](Play& play) {
        const Ref small = play.spawn("small");
        play.perform(small, [](Puppet&, Context& ctx) {
          ctx.become<Puppet::Busy>();
          ctx.start_timer("tick", 1ms, Note{100}, 1ms);
        });
        for (int i = 1; i <= 3; ++i) play.note(small, i);
        play.world.advance(5ms);
        play.perform(small, [](Puppet&, Context& ctx) {
          ctx.become<Puppet::Receive>();
          ctx.cancel_timer("tick");
          ctx.unstash_all();
        });
        CHECK(play.count("small got 3") == 1);
        CHECK(play.count("small got 100") == 5);
        play.note(small, 4);
        play.queue_failure<Restarting>(small);
        play.note(small, 5);
        play.world.run();
        CHECK(play.count("small got 5") == 1);
        CHECK(play.cell(small).room.load() == 4);
        CHECK(play.world.events("deadletter").empty());
      },
      setup);
}

}  // namespace actord::conformance
