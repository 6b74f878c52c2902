// SPDX-License-Identifier: Apache-2.0
//
// Blocking work on another dispatcher, and children on other dispatchers: item 67 and the promises
// of ctx.pipe().
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
