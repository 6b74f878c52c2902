// SPDX-License-Identifier: Apache-2.0
//
// How lives can be observed: event-stream subscriptions, telemetry, optional log lines, suppressed
// dead letters, failures while a failure is handled: items 51, 56, 149, 150, 156, 179g-i and 180o.
#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

/// Subscribes to a prefix, and records type and path of what it receives.
class Listener : public ScriptedActor {
 public:
  Listener(Context& ctx, SeededTest* test, const std::string& prefix)
      : ScriptedActor(ctx, test, {}), prefix_(prefix) {}
  void pre_start(Context& ctx) override { ctx.subscribe_to(prefix_); }
  void started(const ActorStarted& event) { record("started " + event.path); }
  void restarted(const ActorRestarted& event) {
    record("restarted " + event.path + ' ' + event.cause);
  }
  void stopped(const ActorStopped& event) { record("stopped " + event.path + ' ' + event.reason); }
  void suppressed(const SuppressedDeadLetter& letter) {
    record("suppressed " + letter.type + ' ' + letter.path);
  }
  void letter(const DeadLetter& letter) { record("letter " + letter.type + ' ' + letter.path); }
  using Receive =
      Handlers<&ScriptedActor::act, &ScriptedActor::note, &Listener::started, &Listener::restarted,
               &Listener::stopped, &Listener::suppressed, &Listener::letter>;
  using States = actord::States<>;

 private:
  const std::string prefix_;
};

class Small : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  static constexpr std::int64_t stash_capacity = 2;
};

/// Restarts after every failure.
Strategy always_restart() { return one_for_one().otherwise(Directive::restart); }
using Mender = Boss<&always_restart>;

SeededTest::Setup with_debug(actor::DebugSwitches switches) {
  SeededTest::Setup setup;
  setup.options.debug = switches;
  return setup;
}

std::vector<std::string> lines_of(SeededTest& test, std::string_view event, std::string_view path) {
  std::vector<std::string> texts;
  for (const auto& line : test.world.events(event)) {
    if (line.field("actor.path") != path) continue;
    const std::string_view about = line.field("about");
    texts.push_back(about.empty() ? line.text : line.text + ' ' + std::string{about});
  }
  return texts;
}

}  // namespace

TEST_CASE("51 the log line of a failing preRestart has both causes and the episode") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn(
        "child",
        {.pre_restart = [](ScriptedActor&, Context&, const Failure&) { throw Error("hook"); }});
    test.fail<Restarting>(child, "first");
    const auto failed = test.world.events("actor.failed");
    const auto lines = test.world.events("actor.pre_restart-failed");
    REQUIRE(failed.size() == 1);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("failure.message") == "hook");
    CHECK(lines[0].field("restart.cause.message") == "first");
    CHECK(lines[0].field("failure.id") == failed[0].field("failure.id"));
    CHECK(test.world.incarnation(child.value) == 1);
  });
}

TEST_CASE("56 from a nested failure of re-creations an accessor leads to the first cause") {
  under_seeds([](SeededTest& test) {
    std::vector<std::string> originals;
    const Ref boss = test.spawn<Mender>(
        "boss", {.decide = [&](ScriptedActor&, Context&, const Failure& failure) {
          originals.emplace_back(std::string{failure.type()} + " of " +
                                 std::string{failure.original().what()});
          return Directive::undecided;
        }});
    int attempts = 0;
    const Ref child = test.spawn_under(
        boss, "child", {.post_restart = [&](ScriptedActor&, Context&, const Failure&) {
          if (++attempts < 3) throw Error("again " + std::to_string(attempts));
        }});
    test.fail<Restarting>(child, "first");
    CHECK(originals == std::vector<std::string>{"actord::conformance::Restarting of first",
                                                "actord::PostRestartFailure of first",
                                                "actord::PostRestartFailure of first"});
    CHECK(test.answers(child));
  });
}

TEST_CASE("149 with an endless suspension the log of dead letters is silent for good") {
  SeededTest::Setup setup;
  setup.options.dead_letters_logged = 2;
  setup.options.dead_letters_silence_ns = 0;
  under_seeds(
      [](SeededTest& test) {
        const Ref dead = test.spawn("dead");
        test.stop(dead);
        for (int n = 0; n < 5; ++n) test.note(dead, n);
        test.world.run();
        test.world.advance(1000h);
        test.note(dead, 9);
        test.world.run();
        const auto lines = test.world.events("deadletter");
        REQUIRE(lines.size() == 2);
        CHECK(lines[1].text == "not delivered; further ones are not logged");
      },
      setup);
}

TEST_CASE("150 a suppressed dead letter is published as an event of its own and never logged") {
  under_seeds([](SeededTest& test) {
    const Ref all = {test.world.spawn<Listener>("all", &test, std::string{"actord."})};
    const Ref letters = {
        test.world.spawn<Listener>("letters", &test, std::string{"actord.DeadLetter"})};
    const Ref dead = test.spawn("dead");
    test.stop(dead);
    test.world.send(dead.value, PoisonPill{});
    test.note(dead, 1);
    test.world.run();
    CHECK(test.count("all suppressed actord.PoisonPill/1 /user/dead") == 1);
    CHECK(test.count("all letter play.Note/1 /user/dead") == 1);
    CHECK(test.count("letters letter play.Note/1 /user/dead") == 1);
    CHECK(test.life_of("letters").find("PoisonPill") == std::string::npos);
    CHECK(test.world.events("deadletter").size() == 1);
    CHECK(test.is_alive(all));
    CHECK(test.is_alive(letters));
  });
}

TEST_CASE("156 beyond its capacity the stash is an overflow error to the actor") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn<Small>("child");
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.become<ScriptedActor::Busy>(); });
    for (const int n : {1, 2, 3}) test.note(child, n);
    test.world.run();
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("failure.type") == "actord::StashOverflow");
    CHECK(failed[0].field("failure.message") ==
          "the stash of /user/child is full: it holds 2 messages");
    CHECK(test.count("child got 1") == 1);  // after its restart it gets back its stash
    CHECK(test.count("child got 2") == 1);
    CHECK(test.count("child got 3") == 0);
  });
}

TEST_CASE("179g a failure escalated through /user is logged by one error line and the stop") {
  SeededTest::Setup setup;
  actor::Strategy escalating;
  setup.before_start = [&](SeededTest& test) { test.user.options.strategy = escalating; };
  under_seeds(
      [](SeededTest& test) {
        const Ref child = test.spawn("child");
        test.fail<Restarting>(child);
        CHECK(test.world.events("actor.failed").size() == 1);
        CHECK(test.world.events("guardian.terminated").size() == 1);
        CHECK(test.world.has_stopped());
      },
      setup);
}

TEST_CASE("179h lifecycle lines are written when switched on, and only they") {
  under_seeds(
      [](SeededTest& test) {
        const Ref boss = test.spawn("boss");
        const Ref child = test.spawn_under(boss, "child");
        test.watch(boss, child);
        test.fail<Restarting>(child);
        test.perform(boss, [&](ScriptedActor&, Context& ctx) { ctx.unwatch(child); });
        test.stop(child);
        CHECK(lines_of(test, "actor.lifecycle", "/user/boss") ==
              std::vector<std::string>{"started", "now supervising /user/boss/child"});
        CHECK(lines_of(test, "actor.lifecycle", "/user/boss/child") ==
              std::vector<std::string>{"started", "now watched by /user/boss", "restarting",
                                       "restarted", "no longer watched by /user/boss", "stopping",
                                       "stopped"});
        for (const auto& line : test.world.events("actor.lifecycle"))
          CHECK(line.level == log::Level::debug);
        CHECK(test.world.events("actor.receive").empty());
        CHECK(test.world.events("actor.autoreceive").empty());
      },
      with_debug({.lifecycle = true}));
}

TEST_CASE("179h received, obeyed, unhandled and subscribed are four more switches") {
  const auto played = [](SeededTest& test) {
    const Ref child = test.spawn<Bound>("child");
    const Ref sender = test.spawn("sender");
    test.world.send(child.value, Note{1}, sender.value);
    test.world.send(child.value, Question{1});
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.subscribe<Note>(); });
    test.world.send(child.value, PoisonPill{});
  };
  const auto count = [](SeededTest& test, std::string_view event) {
    return lines_of(test, event, "/user/child").size();
  };
  SeededTest nothing(1, with_debug({}));
  played(nothing);
  for (const char* event : {"actor.receive", "actor.autoreceive", "actor.unhandled",
                            "event-stream.subscribed", "actor.lifecycle"})
    CHECK(nothing.world.events(event).empty());
  nothing.end();
  SeededTest receive(1, with_debug({.receive = true}));
  played(receive);
  CHECK(count(receive, "actor.receive") == 2);
  CHECK(receive.world.events("actor.receive")[0].field("message.type") == "play.Note/1");
  CHECK(receive.world.events("actor.receive")[0].field("message.sender") == "/user/sender");
  CHECK(count(receive, "actor.autoreceive") == 0);
  receive.end();
  SeededTest autoreceive(1, with_debug({.autoreceive = true}));
  played(autoreceive);
  CHECK(count(autoreceive, "actor.autoreceive") == 1);
  CHECK(count(autoreceive, "actor.receive") == 0);
  autoreceive.end();
  SeededTest unhandled(1, with_debug({.unhandled = true}));
  played(unhandled);
  CHECK(count(unhandled, "actor.unhandled") == 1);
  unhandled.end();
  SeededTest events(1, with_debug({.event_stream = true}));
  played(events);
  CHECK(count(events, "event-stream.subscribed") == 1);
  events.end();
}

TEST_CASE("179i started, restarted and stopped are published once per step of a life") {
  under_seeds([](SeededTest& test) {
    const Ref listener = {
        test.world.spawn<Listener>("listener", &test, std::string{"actord.Actor"})};
    const Ref child = test.spawn("child");
    test.perform(child, [](ScriptedActor&, Context& ctx) {  // an ask creates no actor
      ctx.ask<&ScriptedActor::asked>(ctx.self(), Question{1}, 1s);
    });
    test.fail<Restarting>(child);
    test.stop(child);
    CHECK(test.life_of("listener") ==
          "new 0, started /user/listener, started /user/child, restarted /user/child "
          "actord::conformance::Restarting, "
          "stopped /user/child stopped");
    CHECK(test.is_alive(listener));
  });
}

TEST_CASE("180o a subscription to a family of types hears all of them, until its actor is dead") {
  under_seeds([](SeededTest& test) {
    const Ref listener = {test.world.spawn<Listener>("listener", &test, std::string{"play.N"})};
    const Ref speaker = test.spawn("speaker");
    const auto speak = [](ScriptedActor&, Context& ctx) {
      ctx.publish(Note{1});
      ctx.publish(Answer{2});
    };
    test.perform(speaker, speak);
    CHECK(test.life_of("listener") == "new 0, got 1");
    test.stop(listener);
    test.perform(speaker, speak);
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("180o after unsubscribe no event arrives, and subscribing twice is once") {
  under_seeds([](SeededTest& test) {
    const Ref listener = test.spawn("listener");
    test.perform(listener, [](ScriptedActor&, Context& ctx) {
      ctx.subscribe<Note>();
      ctx.subscribe<Note>();
    });
    test.perform(listener, [](ScriptedActor&, Context& ctx) { ctx.publish(Note{1}); });
    CHECK(test.count("listener got 1") == 1);
    test.perform(listener, [](ScriptedActor&, Context& ctx) { ctx.unsubscribe<Note>(); });
    test.perform(listener, [](ScriptedActor&, Context& ctx) { ctx.publish(Note{1}); });
    CHECK(test.count("listener got 1") == 1);
  });
}

namespace {

struct Sold {
  static constexpr std::string_view message_family = "shop.Event";
};
struct Returned {
  static constexpr std::string_view message_family = "shop.Event";
};
struct Opened {};
ACTORD_MESSAGE(Sold, "shop.Sold/1")
ACTORD_MESSAGE(Returned, "shop.Returned/1")
ACTORD_MESSAGE(Opened, "shop.Opened/1")

class Clerk : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void sold(const Sold&) { record("sold"); }
  void returned(const Returned&) { record("returned"); }
  void opened(const Opened&) { record("opened"); }
  using Receive = Handlers<&ScriptedActor::act, &Clerk::sold, &Clerk::returned, &Clerk::opened>;
  using States = actord::States<>;
};

// Takes messages of any type, so that its plugin need not know them.
class Ear : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void any(Context& ctx) { record(std::string{ctx.message_type()}); }
  using Receive = Handlers<&ScriptedActor::act, &Ear::any>;
  using States = actord::States<>;
};

class Speaker : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
};

void publish_all(SeededTest& test, Ref speaker) {
  test.perform(speaker, [](ScriptedActor&, Context& ctx) {
    ctx.publish(Sold{});
    ctx.publish(Returned{});
    ctx.publish(Opened{});
  });
}

}  // namespace

TEST_CASE("180o a message names its family, and a subscription to that hears all of them") {
  under_seeds(
      [](SeededTest& test) {
        const Ref clerk = test.spawn<Clerk>("clerk");
        const Ref speaker = test.spawn<Speaker>("speaker");
        test.perform(clerk, [](ScriptedActor&, Context& ctx) {
          ctx.subscribe_to_family("shop.Event");
          ctx.subscribe_to_family("shop.Event");
          ctx.subscribe_to_family("");
        });
        publish_all(test, speaker);
        CHECK(test.life_of("clerk") == "new 0, pre_start 0, sold, returned");
        test.perform(
            clerk, [](ScriptedActor&, Context& ctx) { ctx.unsubscribe_from_family("shop.Event"); });
        publish_all(test, speaker);
        CHECK(test.life_of("clerk") == "new 0, pre_start 0, sold, returned");
      },
      {.before_start = [](SeededTest& test) {
        test.world.use(
            *plugin_table<Behaviours<>, Messages<Act, Sold, Returned, Opened>>("shop", "1"));
      }});
}

TEST_CASE("180o a subscription to a family or a prefix covers plugins that are loaded later") {
  under_seeds([](SeededTest& test) {
    const Ref gone = test.spawn("gone");
    const Ref by_family = test.spawn<Ear>("by-family"), by_prefix = test.spawn<Ear>("by-prefix");
    test.perform(by_family,
                 [](ScriptedActor&, Context& ctx) { ctx.subscribe_to_family("shop.Event"); });
    test.perform(by_prefix, [](ScriptedActor&, Context& ctx) { ctx.subscribe_to("shop.O"); });
    test.perform(gone, [](ScriptedActor&, Context& ctx) { ctx.subscribe_to("shop."); });
    test.stop(gone);
    test.world.run();
    test.world.use(*plugin_table<Behaviours<>, Messages<Act, Sold, Returned, Opened>>("shop", "1"));
    publish_all(test, test.spawn<Speaker>("speaker"));
    CHECK(test.life_of("by-family") == "new 0, pre_start 0, shop.Sold/1, shop.Returned/1");
    CHECK(test.life_of("by-prefix") == "new 0, pre_start 0, shop.Opened/1");
    CHECK(test.world.events("deadletter").empty());
  });
}

TEST_CASE("180o a prefix and all subscriptions can be ended") {
  under_seeds(
      [](SeededTest& test) {
        const Ref clerk = test.spawn<Clerk>("clerk");
        const Ref speaker = test.spawn<Speaker>("speaker");
        test.perform(clerk, [](ScriptedActor&, Context& ctx) {
          ctx.subscribe_to("shop.");
          ctx.unsubscribe_from("shop.Re");
        });
        publish_all(test, speaker);
        CHECK(test.life_of("clerk") == "new 0, pre_start 0, sold, opened");
        test.perform(clerk, [](ScriptedActor&, Context& ctx) {
          ctx.subscribe_to_family("shop.Event");
          ctx.unsubscribe_all();
        });
        publish_all(test, speaker);
        CHECK(test.life_of("clerk") == "new 0, pre_start 0, sold, opened");
      },
      {.before_start = [](SeededTest& test) {
        test.world.use(
            *plugin_table<Behaviours<>, Messages<Act, Sold, Returned, Opened>>("shop", "1"));
      }});
}

}  // namespace actord::conformance
