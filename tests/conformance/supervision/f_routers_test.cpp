// SPDX-License-Identifier: Apache-2.0
//
// Routers: who gets a message, who decides about a routee that fails, and when a router ends.
#include <actord/router.hpp>

#include <algorithm>
#include <set>

#include "seeded_test.hpp"

namespace actord::conformance::routers {

namespace {

using AnyAct = std::function<void(ScriptedActor&, Context&)>;

Strategy restarting() { return one_for_one().otherwise(Directive::restart); }
using RestartingBoss = Boss<&restarting>;

// A router of scripted actors, which are called "1", "2", …, below the actor "boss".
struct Pool {
  template <class Parent = RestartingBoss>
  Pool(SeededTest& test_, const RouterOptions& options, Script script = {},
       std::type_identity<Parent> = {})
      : test(test_), boss(test_.spawn<Parent>("boss")) {
    test.perform(boss, [&](ScriptedActor&, Context& ctx) {
      router = ctx.spawn_router<ScriptedActor>("router", options, &test, script);
    });
  }
  std::vector<Ref> routees() {
    std::vector<Ref> refs;
    test.perform(boss, [&](ScriptedActor&, Context& ctx) {
      for (const Routee& each : ctx.routees(router)) refs.push_back(each.ref);
    });
    return refs;
  }
  Ref routee(int n) { return test.find("/user/boss/router/" + std::to_string(n)); }
  // From one handler, so that the messages are collected in packets.
  void notes(int first, int last) {
    test.perform(boss, [&](ScriptedActor&, Context& ctx) {
      for (int n = first; n <= last; ++n) ctx.tell(router, Note{n});
    });
  }
  template <class M>
  void order(M message) {
    test.world.tell(router.value, std::move(message));
    test.world.run();
  }

  SeededTest& test;
  const Ref boss;
  Ref router;
};

int notes_of(const SeededTest& test, const std::string& name, int last) {
  int n = 0;
  for (int i = 0; i <= last; ++i) n += test.count(name + " got " + std::to_string(i));
  return n;
}

}  // namespace

// ---- who decides, and when a router ends --------------------------------------------------------

TEST_CASE("95 a routee fails: the supervisor of the router decides, and the router is restarted") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).round_robin());
    const std::vector<Ref> before = pool.routees();
    test.fail<Restarting>(pool.routee(2));
    CHECK(test.life_of("1") ==
          "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, "
          "post_restart 1, pre_start 1");
    CHECK(test.life_of("3") == test.life_of("1"));
    CHECK(pool.routees() == before);
    pool.notes(1, 3);
    for (const char* name : {"1", "2", "3"}) CHECK(notes_of(test, name, 3) == 1);
  });
}

TEST_CASE("95 what waits for the routees outlives the restart of the router") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).round_robin());
    test.queue_failure<Restarting>(pool.routee(1));
    pool.notes(1, 40);
    CHECK(notes_of(test, "1", 40) + notes_of(test, "2", 40) == 40);
    CHECK(test.read_dead_letters().empty());
  });
}

TEST_CASE("95 with a strategy of its own the router decides, and is not restarted") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).round_robin().strategy(by_name()));
    test.fail<Restarting>(pool.routee(1));
    CHECK(test.count("1 new 1") == 1);
    CHECK(test.count("2 new 1") == 0);
    test.fail<Stopping>(pool.routee(1));
    CHECK(pool.routees() == std::vector<Ref>{pool.routee(2)});
  });
}

TEST_CASE("96 the last routee of a pool has stopped: the router stops") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).round_robin());
    test.watch(pool.boss, pool.router);
    test.stop(pool.routee(1));
    test.world.run();
    CHECK(test.is_alive(pool.router));
    test.stop(pool.routee(2));
    test.world.run();
    CHECK_FALSE(test.is_alive(pool.router));
    CHECK(test.life_of("boss").find("terminated") != std::string::npos);
  });
}

TEST_CASE("96 with a resizer the router goes on, and creates routees again") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).round_robin().resizer({.lower = 2, .upper = 4}));
    for (const int n : {1, 2}) test.stop(pool.routee(n));
    test.world.run();
    CHECK(test.is_alive(pool.router));
    CHECK(pool.routees().empty());
    test.world.advance(1s);
    CHECK(pool.routees().size() == 2);
  });
}

TEST_CASE("96 a router is stopped with its routees; a poison pill is for the router") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).random());
    pool.order(PoisonPill{});
    CHECK_FALSE(test.is_alive(pool.router));
    for (const char* name : {"1", "2", "3"})
      CHECK(test.life_of(name) == "new 0, pre_start 0, post_stop 0");
    pool.notes(1, 1);
    CHECK(test.read_dead_letters().empty());  // they are read from here on
    pool.notes(2, 2);
    REQUIRE(test.dead_letters.size() == 1);
    CHECK(test.dead_letters[0].path == "/user/boss/router");
  });
}

// ---- who gets a message -------------------------------------------------------------------------

TEST_CASE("180u round robin: each routee in turn, also when a handler sends many") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(4).round_robin());
    pool.notes(0, 79);
    for (int n = 0; n < 80; ++n)
      CHECK(test.count(std::to_string(n % 4 + 1) + " got " + std::to_string(n)) == 1);
  });
}

TEST_CASE("180u the router takes no part: messages reach the routees while it is suspended") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).round_robin());
    test.send_system(pool.router, actor::SystemMessage::suspend());
    test.world.run();
    for (const int n : {1, 2}) {
      test.send_system(pool.routee(n), actor::SystemMessage::resume());
      test.world.run();
    }
    pool.notes(1, 2);
    CHECK(notes_of(test, "1", 2) == 1);
    CHECK(notes_of(test, "2", 2) == 1);
    for (const int n : {1, 2}) test.send_system(pool.routee(n), actor::SystemMessage::suspend());
    test.send_system(pool.router, actor::SystemMessage::resume());
    test.world.run();
  });
}

TEST_CASE("180u random: all routees get messages, and each message one routee") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).random());
    pool.notes(0, 99);
    int all = 0;
    for (const char* name : {"1", "2", "3"}) {
      const int n = notes_of(test, name, 99);
      CHECK(n > 10);
      all += n;
    }
    CHECK(all == 100);
  });
}

TEST_CASE("180u smallest mailbox: an idle routee, and else the one for which the fewest wait") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).smallest_mailbox());
    // The first two are suspended, so that what they get waits.
    for (const int n : {1, 2}) test.send_system(pool.routee(n), actor::SystemMessage::suspend());
    test.world.run();
    for (int n = 0; n < 5; ++n) test.note(pool.routee(1), 100 + n);
    test.note(pool.routee(2), 200);
    test.world.run();
    // The third is idle each time.
    for (int n = 0; n < 6; ++n) {
      test.note(pool.router, n);
      test.world.run();
    }
    CHECK(notes_of(test, "3", 5) == 6);
    test.send_system(pool.routee(3), actor::SystemMessage::suspend());
    test.world.run();
    for (int n = 6; n < 12; ++n) test.note(pool.router, n);
    for (const int n : {1, 2, 3}) test.send_system(pool.routee(n), actor::SystemMessage::resume());
    test.world.run();
    // 5, 1 and 0 waited: of six more, the second gets two or three and the third the others.
    CHECK(notes_of(test, "1", 11) == 0);
    CHECK(notes_of(test, "2", 11) + notes_of(test, "3", 11) == 12);
    CHECK(notes_of(test, "2", 11) >= 2);
    CHECK(notes_of(test, "3", 11) >= 9);
  });
}

TEST_CASE("180u an ask is answered by the routee, and the asker sees no router") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).round_robin(),
              {.question = [](ScriptedActor&, Context& ctx, const Question& question) {
                ctx.reply(Answer{question.n + 1});
              }});
    const Ref asker = test.spawn("asker");
    test.perform(asker, [&](ScriptedActor&, Context& ctx) {
      ctx.ask<&ScriptedActor::asked>(pool.router, Question{7}, 1s);
    });
    CHECK(test.count("asker reply 8") == 1);
  });
}

TEST_CASE("180u a routee may be a router, but not one that sends back") {
  under_seeds([](SeededTest& test) {
    Pool inner(test, actord::pool(2).round_robin());
    const Ref outer_boss = test.spawn("outer");
    Ref outer;
    test.perform(outer_boss, [&](ScriptedActor&, Context& ctx) {
      outer = ctx.spawn_router("group", group({"/user/boss/router"}).round_robin());
    });
    for (int n = 0; n < 4; ++n) test.note(outer, n);
    test.world.run();
    CHECK(notes_of(test, "1", 3) == 2);
    CHECK(notes_of(test, "2", 3) == 2);
    inner.order(AddRoutee{outer});
    inner.order(AddRoutee{inner.router});
    CHECK(inner.routees().size() == 2);
    CHECK(test.is_alive(inner.router));
  });
}

TEST_CASE("180u a group sends to actors that others create, and finds those that come later") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    const Ref one = test.spawn("one");
    Ref router;
    test.perform(boss, [&](ScriptedActor&, Context& ctx) {
      router = ctx.spawn_router("router", group({"/user/one", "/user/two"}).round_robin());
    });
    for (int n = 0; n < 2; ++n) test.note(router, n);
    test.world.run();
    CHECK(notes_of(test, "one", 1) == 2);
    test.spawn("two");
    test.world.advance(1s);
    for (int n = 2; n < 4; ++n) test.note(router, n);
    test.world.run();
    CHECK(notes_of(test, "two", 3) == 1);
    test.stop(one);
    test.world.run();
    for (int n = 4; n < 6; ++n) test.note(router, n);
    test.world.run();
    CHECK(notes_of(test, "two", 5) == 3);
    CHECK(test.is_alive(router));
  });
}

TEST_CASE("180u a bounded mailbox is one of the routees, and none of the router") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss");
    test.perform(boss, [&](ScriptedActor& self, Context& ctx) {
      CHECK_THROWS_AS(ctx.spawn_router("none", pool(1).round_robin()), Error);
      CHECK_THROWS_AS(
          ctx.spawn_router<ScriptedActor>("none", group({"/user"}), &self.test(), Script{}), Error);
    });
    CHECK_THROWS_WITH_AS(group({}), "router: a group needs the path of an actor", Error);
    CHECK_THROWS_AS(group({"/user/a"}).balancing(), Error);
    CHECK_THROWS_AS(group({"/user/a"}).smallest_mailbox(), Error);
    CHECK_THROWS_AS(pool(-1), Error);
    CHECK_THROWS_AS(pool(1).resizer({.lower = 3, .upper = 2}), Error);
    CHECK_THROWS_AS(pool(1).scatter_gather_first(0s), Error);
    CHECK_THROWS_AS(pool(1).tail_chopping(1s, 0s), Error);
  });
}

}  // namespace actord::conformance::routers
