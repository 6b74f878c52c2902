// SPDX-License-Identifier: Apache-2.0
//
// Blocking work on another dispatcher, and children on other dispatchers: item 67 and the promises
// of ctx.pipe().
#include <actord/retry.hpp>

#include "seeded_test.hpp"

namespace actord::conformance {

namespace {

class Piper : public ScriptedActor {
 public:
  using ScriptedActor::ScriptedActor;
  void done(const Reply<Answer>& reply) {
    record(reply ? "done " + std::to_string(reply->n)
                 : std::string{reply.failure().type()} + ' ' + std::string{reply.failure().what()});
  }
};

}  // namespace

TEST_CASE("pipe: the result of work done elsewhere comes back as an answer") {
  under_seeds([](SeededTest& test) {
    const Ref piper = test.spawn<Piper>("piper");
    test.perform(piper, [](ScriptedActor&, Context& ctx) {
      ctx.pipe<&Piper::done>([] { return Answer{7}; }, 1s);
    });
    CHECK(test.count("piper done 7") == 1);
    test.perform(piper, [](ScriptedActor&, Context& ctx) { CHECK(ctx.children().empty()); });
  });
}

TEST_CASE("pipe: an exception of the work fails the answer and no actor") {
  under_seeds([](SeededTest& test) {
    const Ref piper = test.spawn<Piper>("piper");
    test.perform(piper, [](ScriptedActor&, Context& ctx) {
      ctx.pipe<&Piper::done>([]() -> Answer { throw Stopping("no disk"); }, 1s);
    });
    CHECK(test.count("piper actord::conformance::Stopping no disk") == 1);
    CHECK(test.world.events("actor.failed").empty());
  });
}

TEST_CASE("pipe: a timeout that is not more than 0 is refused before there is a child") {
  under_seeds([](SeededTest& test) {
    const Ref piper = test.spawn<Piper>("piper");
    test.perform(piper, [](ScriptedActor&, Context& ctx) {
      CHECK_THROWS_AS(ctx.pipe<&Piper::done>([] { return Answer{7}; }, 0s), Error);
      CHECK(ctx.all_children().empty());
    });
  });
}

TEST_CASE("pipe: a result for an earlier incarnation is dropped") {
  under_seeds([](SeededTest& test) {
    const Ref piper = test.spawn<Piper>("piper");
    test.queue(piper, [](ScriptedActor&, Context& ctx) {
      ctx.pipe<&Piper::done>([] { return Answer{7}; }, 1s);
      throw Restarting("boom");
    });
    test.world.run();
    CHECK(test.count("piper done 7") == 0);
    CHECK(test.world.incarnation(piper.value) == 1);
  });
}

TEST_CASE("186a the helper that does the work of a pipe is no child") {
  under_seeds([](SeededTest& test) {
    int ended = 0;
    const Ref piper = test.spawn<Piper>(
        "piper", {.child_terminated = [&](ScriptedActor&, Context&, Ref) { ++ended; }});
    test.perform(piper, [](ScriptedActor&, Context& ctx) {
      ctx.pipe<&Piper::done>([] { return Answer{7}; }, 1s);
      CHECK(ctx.children().empty());
      CHECK(ctx.all_children().empty());
    });
    CHECK(test.count("piper done 7") == 1);
    CHECK(ended == 0);
    CHECK(test.children_and_helpers(piper).size() == 0);
  });
}

TEST_CASE("186b a helper that fails is stopped, and its actor is not asked") {
  under_seeds([](SeededTest& test) {
    struct Bad {
      explicit Bad(const bool* armed) : is_armed(armed) {}
      Bad(const Bad& other) : is_armed(other.is_armed) {
        if (*is_armed) throw Restarting("cannot be copied");
      }
      Answer operator()() const { return {7}; }
      const bool* is_armed;
    };
    int decisions = 0;
    bool is_armed = false;
    const Ref piper = test.spawn<Piper>("piper", deciding(Directive::restart, decisions));
    test.perform(piper, [&](ScriptedActor&, Context& ctx) {
      ctx.pipe<&Piper::done>(Bad{&is_armed}, 1s);
      is_armed = true;
    });
    is_armed = false;
    CHECK(decisions == 0);
    const auto failed = test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("decision.rule") == "helper");
    CHECK(test.life_of("piper").find("actord::NoRecipient") != std::string::npos);
    CHECK(test.children_and_helpers(piper).size() == 0);
  });
}

TEST_CASE("186d a pattern that has the path of a helper does not concern it") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.deployments = {{"/user/piper/*", {.mailbox_capacity = 1}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const auto is_bounded = [&](Ref who) {
          return (test.cell(who).sender_flags.load() & actor::Cell::bounded) != 0;
        };
        const Ref silent =
            test.spawn("silent", {.question = [](ScriptedActor&, Context&, const Question&) {}});
        const Ref piper = test.spawn<Piper>("piper");
        CHECK(is_bounded(test.spawn_under(piper, "child")));
        test.perform(piper, [&](ScriptedActor&, Context& ctx) {
          retry_ask<&Piper::done>(ctx, silent, Question{1}, 1s);
        });
        const auto all = test.children_and_helpers(piper);
        REQUIRE(all.size() == 2);
        CHECK_FALSE(is_bounded(all[1]));
      },
      setup);
}

TEST_CASE("67 a dispatcher that does not exist is an error to the creator of the child") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    test.perform(boss, [&](ScriptedActor& actor, Context& ctx) {
      CHECK(test.is_alive(ctx.spawn_on<ScriptedActor>("good", "blocking-io", &test, Script{})));
      try {
        ctx.spawn_on<ScriptedActor>("bad", "no-such-dispatcher", &test, Script{});
      } catch (const Error& error) {
        actor.record(error.what());
      }
    });
    CHECK(test.count("boss there is no dispatcher \"no-such-dispatcher\"") == 1);
    CHECK_FALSE(test.find("/user/boss/bad"));
    CHECK(test.answers(test.find("/user/boss/good")));
  });
}

}  // namespace actord::conformance
