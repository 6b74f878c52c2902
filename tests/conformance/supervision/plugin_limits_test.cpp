// SPDX-License-Identifier: Apache-2.0
//
// What an actor finds when its plugin has as many actors, timers or asks as the operator allows it
// (actor/plugin_usage.hpp).
#include <actord/retry.hpp>

#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

using actor::PluginUsage;

/// Limits the plugin of the scripted actors. Its actors that live already do not count.
class Limited {
 public:
  Limited(SeededTest& test, PluginUsage::Kind kind, std::int64_t max)
      : test_(test),
        probe_(
            test.spawn("probe", {.question = [](ScriptedActor&, Context&, const Question&) {}})) {
    test.world.run();
    set(kind, max);
  }

  void set(PluginUsage::Kind kind, std::int64_t max) {
    actor::PluginLimits limits = PluginUsage::no_limits;
    limits[kind] = max;
    test_.world.system().behaviours().set_limits({{behaviour().plugin, limits}});
  }
  std::int64_t used(PluginUsage::Kind kind) { return behaviour().usage()->used(kind); }

 private:
  const actor::Behaviour& behaviour() { return test_.cell(probe_).props->behaviour; }

  SeededTest& test_;
  const Ref probe_;
};

void ask_self(Context& ctx) { ctx.ask<&ScriptedActor::asked>(ctx.self(), Question{1}, 1s); }

class Stopper : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void stopped(const Reply<Terminated>&) { record("stopped"); }
};

class Plumber : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void done(const Reply<Answer>&) { record("done"); }
};

/// Asks an actor that answers nothing.
void ask_never(Context& ctx) {
  ctx.ask<&ScriptedActor::asked>(ctx.find("/user/probe"), Question{1}, 1s);
}

/// Asks, and then passes the letter on, which copies it.
class Postman : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void letter(Context& ctx, const Letter&) {
    ask_self(ctx);
    ctx.forward(ctx.find("/user/boss"));
    record("went on");
  }
  using Receive = Handlers<&ScriptedActor::act, &ScriptedActor::question, &Postman::letter>;
  using States = actord::States<>;
};

}  // namespace

TEST_CASE("a plugin that has as many actors as it may gets no more until one has ended") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    test.world.run();
    Limited limited(test, PluginUsage::actors, 2);
    const auto spawn = [&](std::string name) {
      Ref child;
      test.perform(boss, [&](ScriptedActor& actor, Context& ctx) {
        try {
          child = ctx.spawn<ScriptedActor>(name, &test, Script{});
        } catch (const LimitReached& error) {
          actor.record(error.what());
        }
      });
      return child;
    };
    const Ref first = spawn("first");
    CHECK(test.is_alive(spawn("second")));
    CHECK_FALSE(spawn("third"));
    CHECK_FALSE(spawn(""));
    CHECK(test.life_of("boss").find("which is its limit (actord.plugins.limits.") !=
          std::string::npos);
    test.perform(boss, [&](ScriptedActor&, Context& ctx) { CHECK(ctx.children().size() == 2); });
    test.fail<Restarting>(first);  // it stays one actor
    CHECK_FALSE(spawn("third"));
    test.stop(first);
    test.world.run();
    CHECK(test.is_alive(spawn("third")));
    CHECK(limited.used(PluginUsage::actors) == 2);
    limited.set(PluginUsage::actors, 3);
    CHECK(test.is_alive(spawn("fourth")));
    test.stop(boss);
    test.world.run();
    CHECK(limited.used(PluginUsage::actors) == 0);
  });
}

TEST_CASE("an actor that wants one timer too many fails when its handler returns") {
  under_seeds([](SeededTest& test) {
    const Ref child = test.spawn("child");
    test.world.run();
    Limited limited(test, PluginUsage::timers, 2);
    const auto start = [&](std::string key, Context::Duration period = {}) {
      test.perform(child, [=](ScriptedActor& actor, Context& ctx) {
        ctx.start_timer(key, 10ms, Note{1}, period);
        actor.record(ctx.has_timer(key) ? "has " + key : "lacks " + key);
      });
    };
    start("a", 10ms);
    start("b");
    start("b");  // replaces the other one
    CHECK(test.world.events("actor.failed").empty());
    start("c");
    CHECK(test.count("child lacks c") == 1);
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("failure.type") == "actord::LimitReached");
    CHECK(test.count("child pre_restart 0") + test.count("child new 1") >= 1);  // by default
    CHECK(limited.used(PluginUsage::timers) == 0);
    start("c");
    CHECK(limited.used(PluginUsage::timers) == 1);
    test.world.advance(1s);
    CHECK(test.count("child got 1") >= 1);
    CHECK(limited.used(PluginUsage::timers) == 0);
    start("d", 10ms);
    test.perform(child, [](ScriptedActor&, Context& ctx) { ctx.cancel_timer("d"); });
    CHECK(limited.used(PluginUsage::timers) == 0);
  });
}

TEST_CASE("an ask too many is not sent, and a graceful stop too many stops no actor") {
  under_seeds([](SeededTest& test) {
    int questions = 0;
    const Ref target = test.spawn(
        "target", {.question = [&](ScriptedActor&, Context&, const Question&) { ++questions; }});
    const Ref boss = test.spawn_under<Stopper>(test.spawn("root"), "boss");
    test.world.run();
    Limited limited(test, PluginUsage::asks, 1);
    const auto ask = [&](ScriptedActor&, Context& ctx) {
      ctx.ask<&ScriptedActor::asked>(target, Question{1}, 1s);
    };
    test.perform(boss, ask);
    CHECK(limited.used(PluginUsage::asks) == 1);
    test.perform(boss, ask);
    CHECK(questions == 1);
    CHECK(test.world.events("actor.failed").size() == 1);
    CHECK(limited.used(PluginUsage::asks) == 0);  // the restart has ended the first one
    test.perform(boss, ask);
    test.world.advance(2s);
    CHECK(limited.used(PluginUsage::asks) == 0);  // timed out
    const Ref other = test.spawn("other");
    test.perform(other, ask);
    test.perform(boss, [&](ScriptedActor&, Context& ctx) {
      ctx.graceful_stop<&Stopper::stopped>(target, 1s);
    });
    CHECK(test.is_alive(target));
    test.stop(other);
    test.world.run();
    CHECK(limited.used(PluginUsage::asks) == 0);
  });
}

TEST_CASE("a hook that wants too much fails as if it had thrown") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss", deciding(Directive::stop));
    test.world.run();
    Limited limited(test, PluginUsage::asks, 1);
    const Ref holder = test.spawn("holder");
    test.perform(holder, [](ScriptedActor&, Context& ctx) { ask_never(ctx); });
    const Ref child = test.spawn_under(
        boss, "child", {.pre_start = [](ScriptedActor&, Context& ctx) { ask_self(ctx); }});
    test.world.run();
    CHECK_FALSE(test.is_alive(child));
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("failure.type") == "actord::InitializationFailure");
  });
}

TEST_CASE("a message that is copied after a limit was reached is copied") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    const Ref postman = test.spawn_under<Postman>(boss, "postman");
    test.world.run();
    Limited limited(test, PluginUsage::asks, 1);
    test.perform(test.spawn("holder"), [](ScriptedActor&, Context& ctx) { ask_never(ctx); });
    test.world.tell(postman.value, Letter{std::string(100, 'x')});
    test.world.run();
    CHECK(test.count("postman went on") == 1);
    CHECK(test.world.events("message.copy-failed").empty());
    CHECK(test.world.events("actor.failed").size() == 1);
    CHECK(test.is_alive(boss));
  });
}

TEST_CASE("work that is piped beyond the limit of asks leaves no worker behind") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss", deciding(Directive::resume));
    const Ref piper = test.spawn_under<Plumber>(boss, "piper");
    test.world.run();
    Limited limited(test, PluginUsage::asks, 1);
    test.perform(test.spawn("holder"), [](ScriptedActor&, Context& ctx) { ask_never(ctx); });
    int performed = 0;
    test.perform(piper, [&](ScriptedActor&, Context& ctx) {
      ctx.pipe<&Plumber::done>([&performed] { return Answer{++performed}; }, 100ms);
    });
    CHECK(test.children_and_helpers(piper).size() == 1);
    test.world.advance(1s);
    CHECK(test.children_and_helpers(piper).empty());
    CHECK(performed == 0);
  });
}

TEST_CASE("what is tried again beyond the limit of asks leaves no worker behind") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss", deciding(Directive::resume));
    const Ref asker = test.spawn_under(boss, "asker");
    test.world.run();
    Limited limited(test, PluginUsage::asks, 1);
    const Ref probe = test.find("/user/probe");
    const auto retry = [&](ScriptedActor&, Context& ctx) {
      retry_ask<&ScriptedActor::asked>(ctx, probe, Question{1}, 100ms,
                                       {.attempts = 2, .delay = 1ms, .max_delay = 1ms});
    };
    test.perform(asker, retry);  // the ask of the child is the one too many
    test.world.advance(1s);
    CHECK(test.life_of("asker").find("refused actord::AskTimeout") != std::string::npos);
    test.perform(test.spawn("holder"), [](ScriptedActor&, Context& ctx) { ask_never(ctx); });
    test.perform(asker, retry);  // the ask of the child is not even wanted
    test.world.advance(999ms);
    CHECK(test.children_and_helpers(asker).empty());
  });
}

TEST_CASE("the log tells of a limit at most once in ten seconds, with how much was refused") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    test.world.run();
    Limited limited(test, PluginUsage::actors, 1);
    const auto spawn_three = [&] {
      test.perform(boss, [&](ScriptedActor&, Context& ctx) {
        for (int i = 0; i < 3; ++i) {
          try {
            ctx.spawn<ScriptedActor>("", &test, Script{});
          } catch (const LimitReached&) {}
        }
      });
    };
    spawn_three();
    auto told = test.world.events("plugin.limit-reached");
    REQUIRE(told.size() == 1);
    CHECK(told[0].field("resource") == "actors");
    CHECK(told[0].field("limit") == "1");
    CHECK(told[0].field("refused") == "1");
    CHECK(told[0].field("actor.path") == "/user/boss");
    test.world.advance(9s);
    spawn_three();
    CHECK(test.world.events("plugin.limit-reached").size() == 1);
    test.world.advance(1s);
    spawn_three();
    told = test.world.events("plugin.limit-reached");
    REQUIRE(told.size() == 2);
    CHECK(told[1].field("refused") == "5");
  });
}

}  // namespace actord::conformance
