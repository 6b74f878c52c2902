// SPDX-License-Identifier: Apache-2.0
//
// Dead letters and bounded mailboxes: items 146 to 153.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

SeededTest::Setup logging(std::int64_t dead_letters) {
  SeededTest::Setup setup;
  setup.options.dead_letters_logged = dead_letters;
  return setup;
}

Ref dead_actor(SeededTest& test) {
  const Ref ref = test.spawn("dead");
  test.stop(ref);
  return ref;
}

/// The text of the line about one more dead letter; empty if the line is suppressed.
std::string next_line(SeededTest& test, Ref dead) {
  test.world.forget_events();
  test.note(dead, 1);
  test.world.run();
  const auto lines = test.world.events("deadletter");
  return lines.empty() ? "" : lines[0].text;
}

bool contains(const std::string& text, std::string_view script) {
  return text.find(script) != text.npos;
}

}  // namespace

TEST_CASE("146 what is sent to a dead actor is published with sender and recipient, and logged") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref sender = test.spawn("sender");
    const Ref dead = dead_actor(test);
    test.world.send(dead.value, Note{1}, sender.value);
    REQUIRE(letters.size() == 1);
    CHECK(letters[0].recipient == dead);
    CHECK(letters[0].sender == sender);
    CHECK(letters[0].type == "play.Note/1");
    const auto lines = test.world.events("deadletter");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::info);
    CHECK(lines[0].field("message.type") == "play.Note/1");
    CHECK(lines[0].field("message.recipient") == "/user/dead");
    CHECK(lines[0].field("message.sender") == "/user/sender");
  });
}

TEST_CASE("146 a dead letter that a plugin makes up is logged as such, whatever it says") {
  under_seeds(
      [](SeededTest& test) {
        const auto log = test.world.find("/system/log");
        for (const std::string reason : {"", "lost in the post", "poison"}) {
          CAPTURE(reason);
          test.world.forget_events();
          test.world.send(log, DeadLetter{.recipient = {},
                                          .sender = {},
                                          .type = "made.Up/1",
                                          .reason = reason,
                                          .path = "/user/nowhere"});
          const auto lines = test.world.events("deadletter");
          REQUIRE(lines.size() == 1);
          CHECK(lines[0].field("reason") == (reason == "poison" ? reason : "other"));
          CHECK(contains(lines[0].text, reason == "poison" ? "not delivered" : reason));
          CHECK(lines[0].field("message.type") == "made.Up/1");
          CHECK(lines[0].field("message.recipient") == "/user/nowhere");
        }
      },
      logging(-1));
}

TEST_CASE(
    "147 the last line before the limit says so, then silence, then how many were kept back") {
  under_seeds(
      [](SeededTest& test) {
        const Ref dead = dead_actor(test);
        for (int round = 0; round < 2; ++round) {
          for (int i = 1; i <= 3; ++i) CHECK(next_line(test, dead) == "not delivered");
          CHECK(contains(next_line(test, dead), "further ones are not logged in the next 300 s"));
          for (int i = 5; i <= 6; ++i) CHECK(next_line(test, dead) == "");
          test.world.advance(300s);
          CHECK(contains(next_line(test, dead), "2 earlier ones were not logged"));
        }
      },
      logging(4));
}

TEST_CASE("148 unhandled messages share the limit") {
  under_seeds(
      [](SeededTest& test) {
        const Ref dead = dead_actor(test);
        CHECK(next_line(test, dead) != "");
        const Ref bound = test.spawn<Bound>("bound");
        for (int i = 0; i < 4; ++i) test.world.send(bound.value, Question{1});
        CHECK(test.world.events("message.unhandled").size() == 2);
        CHECK(next_line(test, dead) == "");
      },
      logging(3));
}

TEST_CASE("149 none are logged if it is off, all if it is on") {
  under_seeds([](SeededTest& test) { CHECK(next_line(test, dead_actor(test)) == ""); }, logging(0));
  under_seeds(
      [](SeededTest& test) {
        const Ref dead = dead_actor(test);
        for (int i = 0; i < 50; ++i) CHECK(next_line(test, dead) == "not delivered");
      },
      logging(-1));
}

TEST_CASE("150 a PoisonPill, a Terminated or a tick that comes too late is no dead letter") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref target = test.spawn("target");
    const Ref watcher = test.spawn("watcher");
    test.world.send(dead_actor(test).value, PoisonPill{});
    test.watch(watcher, target);
    test.perform(watcher, [](ScriptedActor&, Context& ctx) {
      ctx.start_timer("tick", 1ms, Note{1});
      ctx.receive_timeout(1ms);
    });
    test.world.send_system(watcher.value, actor::SystemMessage::suspend());
    test.stop(target);
    test.world.advance(10ms);
    test.stop(watcher);
    CHECK(test.life_of("watcher") == "new 0, pre_start 0, post_stop 0");
    CHECK(letters.empty());
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("151 dead letters of the way down are not logged") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.note(child, 1);
    test.world.system().terminate();
    for (int i = 0; i < 5; ++i) test.note(child, i);
    CHECK(test.world.shut_down());
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("152 a dead letter about a dead letter is dropped") {
  under_seeds([](SeededTest& test) {
    const auto& letters = test.read_dead_letters();
    const Ref dead = dead_actor(test);
    test.world.send(dead.value, DeadLetter{});
    test.world.send(dead.value, Unhandled{});
    CHECK(letters.empty());
  });
}

TEST_CASE("153 what a full mailbox does not take is a dead letter at once") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.deployments = {{"/user/small", {.mailbox_capacity = 3}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const auto& letters = test.read_dead_letters();
        const Ref small = test.spawn("small");
        for (int round = 1; round <= 3; ++round) {
          test.world.send_system(small.value, actor::SystemMessage::suspend());
          for (int i = 1; i <= 5; ++i) test.note(small, i);
          test.world.run();
          REQUIRE(letters.size() == static_cast<std::size_t>(2 * round));
          CHECK(letters.back().reason == "mailbox-full");
          CHECK(letters.back().recipient == small);
          test.world.send_system(small.value, actor::SystemMessage::resume());
          CHECK(test.count("small got 3") == round);
          CHECK(test.count("small got 4") == 0);
        }
        for (int i = 10; i < 40; ++i) test.world.send(small.value, Note{i});
        CHECK(letters.size() == 6);
        CHECK(test.cell(small).capacity_left.load() == 3);
      },
      setup);
}

TEST_CASE("153 a mailbox with a limit keeps count over restart, stash and timers") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.deployments = {{"/user/small", {.mailbox_capacity = 4}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref small = test.spawn("small");
        test.perform(small, [](ScriptedActor&, Context& ctx) {
          ctx.become<ScriptedActor::Busy>();
          ctx.start_timer("tick", 1ms, Note{100}, 1ms);
        });
        for (int i = 1; i <= 3; ++i) test.note(small, i);
        test.world.advance(5ms);
        test.perform(small, [](ScriptedActor&, Context& ctx) {
          ctx.become<ScriptedActor::Receive>();
          ctx.cancel_timer("tick");
          ctx.unstash_all();
        });
        CHECK(test.count("small got 3") == 1);
        CHECK(test.count("small got 100") == 5);
        test.note(small, 4);
        test.queue_failure<Restarting>(small);
        test.note(small, 5);
        test.world.run();
        CHECK(test.count("small got 5") == 1);
        CHECK(test.cell(small).capacity_left.load() == 4);
        CHECK(test.world.events("deadletter").empty());
      },
      setup);
}

}  // namespace actord::conformance
