// SPDX-License-Identifier: Apache-2.0
//
// Blocking work done elsewhere, and children on other dispatchers: item 67 and what ctx.pipe()
// promises.
#include "play.hpp"

namespace actord::conformance {

namespace {

class Piper : public Puppet {
 public:
  using Puppet::Puppet;
  void done(const Reply<Answer>& reply) {
    record(reply ? "done " + std::to_string(reply->n)
                 : std::string{reply.failure().type()} + ' ' + std::string{reply.failure().what()});
  }
};

}  // namespace

TEST_CASE("pipe: the result of work done elsewhere comes back as an answer") {
  under_seeds([](Play& play) {
    const Ref piper = play.spawn<Piper>("piper");
    play.perform(
        piper, [](Puppet&, Context& ctx) { ctx.pipe<&Piper::done>([] { return Answer{7}; }, 1s); });
    CHECK(play.count("piper done 7") == 1);
    play.perform(piper, [](Puppet&, Context& ctx) { CHECK(ctx.children().empty()); });
  });
}

TEST_CASE("pipe: what the work throws is the answer's failure, and nobody else's") {
  under_seeds([](Play& play) {
    const Ref piper = play.spawn<Piper>("piper");
    play.perform(piper, [](Puppet&, Context& ctx) {
      ctx.pipe<&Piper::done>([]() -> Answer { throw Stopping("no disk"); }, 1s);
    });
    CHECK(play.count("piper actord::conformance::Stopping no disk") == 1);
    CHECK(play.world.events("actor.failed").empty());
  });
}

TEST_CASE("pipe: a result for an earlier incarnation reaches nobody") {
  under_seeds([](Play& play) {
    const Ref piper = play.spawn<Piper>("piper");
    play.queue(piper, [](Puppet&, Context& ctx) {
      ctx.pipe<&Piper::done>([] { return Answer{7}; }, 1s);
      throw Restarting("boom");
    });
    play.world.run();
    CHECK(play.count("piper done 7") == 0);
    CHECK(play.world.incarnation(piper.value) == 1);
  });
}

TEST_CASE("67 a dispatcher that does not exist is an error to the one who creates the child") {
  under_seeds([](Play& play) {
    const Ref boss = play.spawn("boss");
    play.perform(boss, [&](Puppet& puppet, Context& ctx) {
      CHECK(play.is_alive(ctx.spawn_on<Puppet>("good", "blocking-io", &play, Part{})));
      try {
        ctx.spawn_on<Puppet>("bad", "no-such-dispatcher", &play, Part{});
      } catch (const Error& error) {
        puppet.record(error.what());
      }
    });
    CHECK(play.count("boss there is no dispatcher \"no-such-dispatcher\"") == 1);
    CHECK_FALSE(play.find("/user/boss/bad"));
    CHECK(play.answers(play.find("/user/boss/good")));
  });
}

}  // namespace actord::conformance
