// SPDX-License-Identifier: Apache-2.0
//
// What can be heard and seen of lives: event-stream subscriptions, telemetry, lines to switch on,
// suppressed dead letters, mending that fails: items 51, 56, 149, 150, 156, 179g-i and 180o.
#include "play.hpp"

namespace actord::conformance {

namespace {

/// Hears what its prefix names and notes type and path.
class Listener : public Puppet {
 public:
  Listener(Context& ctx, Play* play, const std::string& prefix)
      : Puppet(ctx, play, {}), prefix_(prefix) {}
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
  using Receive = Handlers<&Puppet::act, &Puppet::note, &Listener::started, &Listener::restarted,
                           &Listener::stopped, &Listener::suppressed, &Listener::letter>;
  using States = actord::States<>;

 private:
  const std::string prefix_;
};

class Small : public Puppet {
 public:
  using Puppet::Puppet;
  static constexpr std::int64_t stash_capacity = 2;
};

/// Restarts whatever can be restarted.
Strategy restarting() { return one_for_one().otherwise(Directive::restart); }
using Mender = Boss<&restarting>;

Play::Setup with_debug(actor::DebugSwitches switches) {
  Play::Setup setup;
  setup.options.debug = switches;
  return setup;
}

std::vector<std::string> lines_of(Play& play, std::string_view event, std::string_view path) {
  std::vector<std::string> texts;
  for (const auto& line : play.world.events(event)) {
    if (line.field("actor.path") != path) continue;
    const std::string_view about = line.field("about");
    texts.push_back(about.empty() ? line.text : line.text + ' ' + std::string{about});
  }
  return texts;
}

}  // namespace

TEST_CASE("51 the line of a failing preRestart tells both causes and the episode") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn(
        "child", {.pre_restart = [](Puppet&, Context&, const Failure&) { throw Error("hook"); }});
    play.fail<Restarting>(child, "first");
    const auto failed = play.world.events("actor.failed");
    const auto lines = play.world.events("actor.pre_restart-failed");
    REQUIRE(failed.size() == 1);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].level == log::Level::error);
    CHECK(lines[0].field("failure.message") == "hook");
    CHECK(lines[0].field("restart.cause.message") == "first");
    CHECK(lines[0].field("failure.id") == failed[0].field("failure.id"));
    CHECK(play.world.incarnation(child.value) == 1);
  });
}

TEST_CASE("56 from a nested failure of re-creations an accessor leads to the first cause") {
  under_seeds([](Play& play) {
    std::vector<std::string> originals;
    const Ref boss =
        play.spawn<Mender>("boss", {.decide = [&](Puppet&, Context&, const Failure& failure) {
                             originals.emplace_back(std::string{failure.type()} + " of " +
                                                    std::string{failure.original().what()});
                             return Directive::undecided;
                           }});
    int attempts = 0;
    const Ref child =
        play.spawn_under(boss, "child", {.post_restart = [&](Puppet&, Context&, const Failure&) {
                           if (++attempts < 3) throw Error("again " + std::to_string(attempts));
                         }});
    play.fail<Restarting>(child, "first");
    CHECK(originals == std::vector<std::string>{"actord::conformance::Restarting of first",
                                                "actord::PostRestartFailure of first",
                                                "actord::PostRestartFailure of first"});
    CHECK(play.answers(child));
  });
}

TEST_CASE("149 with an endless suspension the log of dead letters is silent for good") {
  Play::Setup setup;
  setup.options.dead_letters_logged = 2;
  setup.options.dead_letters_silence_ns = 0;
  under_seeds(
      [](Play& play) {
        const Ref dead = play.spawn("dead");
        play.stop(dead);
        for (int n = 0; n < 5; ++n) play.note(dead, n);
        play.world.run();
        play.world.advance(1000h);
        play.note(dead, 9);
        play.world.run();
        const auto lines = play.world.events("deadletter");
        REQUIRE(lines.size() == 2);
        CHECK(lines[1].text == "not delivered; no more such lines");
      },
      setup);
}

TEST_CASE("150 what nobody misses is published on its own and never logged") {
  under_seeds([](Play& play) {
    const Ref all = {play.world.spawn<Listener>("all", &play, std::string{"actord."})};
    const Ref letters = {
        play.world.spawn<Listener>("letters", &play, std::string{"actord.DeadLetter"})};
    const Ref dead = play.spawn("dead");
    play.stop(dead);
    play.world.send(dead.value, PoisonPill{});
    play.note(dead, 1);
    play.world.run();
    CHECK(play.count("all suppressed actord.PoisonPill/1 /user/dead") == 1);
    CHECK(play.count("all letter play.Note/1 /user/dead") == 1);
    CHECK(play.count("letters letter play.Note/1 /user/dead") == 1);
    CHECK(play.life_of("letters").find("PoisonPill") == std::string::npos);
    CHECK(play.world.events("deadletter").size() == 1);
    CHECK(play.is_alive(all));
    CHECK(play.is_alive(letters));
  });
}

TEST_CASE("156 beyond its capacity the stash is an overflow error to the actor") {
  under_seeds([](Play& play) {
    const Ref child = play.spawn<Small>("child");
    play.perform(child, [](Puppet&, Context& ctx) { ctx.become<Puppet::Busy>(); });
    for (const int n : {1, 2, 3}) play.note(child, n);
    play.world.run();
    const auto failed = play.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("failure.type") == "actord::StashOverflow");
    CHECK(failed[0].field("failure.message") ==
          "the stash of /user/child is full: it holds 2 messages");
    CHECK(play.count("child got 1") == 1);  // restarted, it gets back what it had stashed
    CHECK(play.count("child got 2") == 1);
    CHECK(play.count("child got 3") == 0);
  });
}

TEST_CASE("179g a failure escalated through /user is told by one error line and the stop") {
  Play::Setup setup;
  actor::Strategy escalating;
  setup.before_start = [&](Play& play) { play.user.strategy = escalating; };
  under_seeds(
      [](Play& play) {
        const Ref child = play.spawn("child");
        play.fail<Restarting>(child);
        CHECK(play.world.events("actor.failed").size() == 1);
        CHECK(play.world.events("guardian.terminated").size() == 1);
        CHECK(play.world.has_stopped());
      },
      setup);
}

TEST_CASE("179h lifecycle lines are written when switched on, and only they") {
  under_seeds(
      [](Play& play) {
        const Ref boss = play.spawn("boss");
        const Ref child = play.spawn_under(boss, "child");
        play.watch(boss, child);
        play.fail<Restarting>(child);
        play.perform(boss, [&](Puppet&, Context& ctx) { ctx.unwatch(child); });
        play.stop(child);
        CHECK(lines_of(play, "actor.lifecycle", "/user/boss") ==
              std::vector<std::string>{"started", "now supervising /user/boss/child"});
        CHECK(lines_of(play, "actor.lifecycle", "/user/boss/child") ==
              std::vector<std::string>{"started", "now watched by /user/boss", "restarting",
                                       "restarted", "no longer watched by /user/boss", "stopping",
                                       "stopped"});
        for (const auto& line : play.world.events("actor.lifecycle"))
          CHECK(line.level == log::Level::debug);
        CHECK(play.world.events("actor.receive").empty());
        CHECK(play.world.events("actor.autoreceive").empty());
      },
      with_debug({.lifecycle = true}));
}

TEST_CASE("179h received, obeyed, unhandled and subscribed are four more switches") {
  const auto played = [](Play& play) {
    const Ref child = play.spawn<Bound>("child");
    const Ref sender = play.spawn("sender");
    play.world.send(child.value, Note{1}, sender.value);
    play.world.send(child.value, Question{1});
    play.perform(child, [](Puppet&, Context& ctx) { ctx.subscribe<Note>(); });
    play.world.send(child.value, PoisonPill{});
  };
  const auto count = [](Play& play, std::string_view event) {
    return lines_of(play, event, "/user/child").size();
  };
  Play nothing(1, with_debug({}));
  played(nothing);
  for (const char* event : {"actor.receive", "actor.autoreceive", "actor.unhandled",
                            "event-stream.subscribed", "actor.lifecycle"})
    CHECK(nothing.world.events(event).empty());
  nothing.end();
  Play receive(1, with_debug({.receive = true}));
  played(receive);
  CHECK(count(receive, "actor.receive") == 2);
  CHECK(receive.world.events("actor.receive")[0].field("message.type") == "play.Note/1");
  CHECK(receive.world.events("actor.receive")[0].field("message.sender") == "/user/sender");
  CHECK(count(receive, "actor.autoreceive") == 0);
  receive.end();
  Play autoreceive(1, with_debug({.autoreceive = true}));
  played(autoreceive);
  CHECK(count(autoreceive, "actor.autoreceive") == 1);
  CHECK(count(autoreceive, "actor.receive") == 0);
  autoreceive.end();
  Play unhandled(1, with_debug({.unhandled = true}));
  played(unhandled);
  CHECK(count(unhandled, "actor.unhandled") == 1);
  unhandled.end();
  Play events(1, with_debug({.event_stream = true}));
  played(events);
  CHECK(count(events, "event-stream.subscribed") == 1);
  events.end();
}

TEST_CASE("179i started, restarted and stopped are published once per step of a life") {
  under_seeds([](Play& play) {
    const Ref listener = {
        play.world.spawn<Listener>("listener", &play, std::string{"actord.Actor"})};
    const Ref child = play.spawn("child");
    play.perform(child, [](Puppet&, Context& ctx) {  // an ask makes no actor
      ctx.ask<&Puppet::asked>(ctx.self(), Question{1}, 1s);
    });
    play.fail<Restarting>(child);
    play.stop(child);
    CHECK(play.life_of("listener") ==
          "new 0, started /user/listener, started /user/child, restarted /user/child "
          "actord::conformance::Restarting, "
          "stopped /user/child stopped");
    CHECK(play.is_alive(listener));
  });
}

TEST_CASE("180o a subscription to a family of types hears all of them, until its actor is dead") {
  under_seeds([](Play& play) {
    const Ref listener = {play.world.spawn<Listener>("listener", &play, std::string{"play.N"})};
    const Ref speaker = play.spawn("speaker");
    const auto speak = [](Puppet&, Context& ctx) {
      ctx.publish(Note{1});
      ctx.publish(Answer{2});
    };
    play.perform(speaker, speak);
    CHECK(play.life_of("listener") == "new 0, got 1");
    play.stop(listener);
    play.perform(speaker, speak);
    CHECK(play.world.events("deadletter").empty());
  });
}

TEST_CASE("180o whoever unsubscribes hears no more, and twice subscribed is once") {
  under_seeds([](Play& play) {
    const Ref listener = play.spawn("listener");
    play.perform(listener, [](Puppet&, Context& ctx) {
      ctx.subscribe<Note>();
      ctx.subscribe<Note>();
    });
    play.perform(listener, [](Puppet&, Context& ctx) { ctx.publish(Note{1}); });
    CHECK(play.count("listener got 1") == 1);
    play.perform(listener, [](Puppet&, Context& ctx) { ctx.unsubscribe<Note>(); });
    play.perform(listener, [](Puppet&, Context& ctx) { ctx.publish(Note{1}); });
    CHECK(play.count("listener got 1") == 1);
  });
}

}  // namespace actord::conformance
