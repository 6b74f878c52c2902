// SPDX-License-Identifier: Apache-2.0
//
// Routers that get the messages and send them on, the orders that routers take, and resizers.
#include <actord/router.hpp>

#include <algorithm>

#include "seeded_test.hpp"

namespace actord::conformance::router_logics {

namespace {

// A router of scripted actors, which are called "1", "2", …, below the actor "boss".
struct Pool {
  Pool(SeededTest& test_, const RouterOptions& options, Script script = {})
      : test(test_), boss(test_.spawn("boss")), asker(test_.spawn("asker")) {
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
  void note(int n) { test.note(router, n); }
  void ask(std::chrono::nanoseconds timeout = 10s) {
    test.perform(asker, [&](ScriptedActor&, Context& ctx) {
      ctx.ask<&ScriptedActor::asked>(router, Question{7}, timeout);
    });
  }
  template <class M>
  void order(M message) {
    test.world.tell(router.value, std::move(message));
    test.world.run();
  }
  // How many of the routees have got that.
  int count(const std::string& what, int size) const {
    int n = 0;
    for (int i = 1; i <= size; ++i) n += test.count(std::to_string(i) + ' ' + what);
    return n;
  }

  SeededTest& test;
  const Ref boss, asker;
  Ref router;
};

// Answers with the number of its name, if that is not to be silent.
Script answering(std::vector<std::string> silent = {}) {
  return {.question = [silent](ScriptedActor& self, Context& ctx, const Question&) {
    const std::string path = ctx.path(ctx.self());
    const std::string name = path.substr(path.rfind('/') + 1);
    self.record("asked");
    if (std::ranges::find(silent, name) == silent.end()) ctx.reply(Answer{std::stoi(name)});
  }};
}

// Asks a router for its routees.
class Listener : public Actor {
 public:
  Listener(Ref router, std::vector<Ref>* told) : router_(router), told_(told) {}
  void pre_start(Context& ctx) override { ctx.ask<&Listener::heard>(router_, GetRoutees{}, 1s); }
  void heard(Context&, const Reply<Routees>& reply) { *told_ = reply->routees; }
  void ignore(const Note&) {}
  using Receive = Handlers<&Listener::ignore>;

 private:
  const Ref router_;
  std::vector<Ref>* const told_;
};

}  // namespace

TEST_CASE("180v broadcast: each routee gets each message, and the first answer counts") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).broadcast(), answering({"1", "3"}));
    pool.note(7);
    test.world.run();
    CHECK(pool.count("got 7", 3) == 3);
    pool.ask();
    CHECK(test.count("asker reply 2") == 1);
  });
}

TEST_CASE("180v a Broadcast goes to each routee, whatever the logic, and to an actor as it is") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).round_robin());
    test.perform(pool.boss, [&](ScriptedActor&, Context& ctx) {
      ctx.tell(pool.router, Broadcast{Note{5}});
      ctx.tell(pool.asker, Broadcast{Note{6}});
    });
    CHECK(pool.count("got 5", 3) == 3);
    CHECK(test.count("asker got 6") == 1);
  });
}

TEST_CASE("180v scatter gather: the first answer counts, also if a routee has stopped") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).scatter_gather_first(5s), answering({"1"}));
    test.stop(pool.routee(3));
    test.world.run();
    pool.ask();
    CHECK(pool.count("asked", 3) == 2);
    CHECK(test.count("asker reply 2") == 1);
    CHECK(test.is_alive(pool.router));
  });
}

TEST_CASE("180v scatter gather: the sender of a tell gets one answer, too") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).scatter_gather_first(5s), answering());
    test.perform(pool.asker,
                 [&](ScriptedActor&, Context& ctx) { ctx.tell(pool.router, Question{1}); });
    test.world.advance(10s);
    int answers = 0;
    for (const int n : {1, 2, 3}) answers += test.count("asker answer " + std::to_string(n));
    CHECK(answers == 1);
  });
}

TEST_CASE("180v scatter gather: no answer in time is an AskTimeout, and leaves nothing behind") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).scatter_gather_first(5s), answering({"1", "2"}));
    pool.ask();
    test.world.advance(4s + 999ms);
    CHECK(test.life_of("asker").find("refused") == std::string::npos);
    test.world.advance(1ms);
    CHECK(test.life_of("asker").find("refused actord::AskTimeout: no routee has answered") !=
          std::string::npos);
    CHECK(pool.routees().size() == 2);
  });
}

TEST_CASE("186b all-for-one of the routees leaves those that gather answers alone") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).scatter_gather_first(5s).strategy(actord::all_for_one()),
              answering({"1", "2"}));
    for (int i = 0; i < 3; ++i) pool.ask();
    test.fail<Restarting>(pool.routee(1));
    CHECK(test.count("2 new 1") == 1);
    CHECK(test.children_and_helpers(pool.router).size() == 5);
    test.world.advance(5s);
    CHECK(test.count("asker refused actord::AskTimeout: no routee has answered within 5000 ms") ==
          3);
    CHECK(test.children_and_helpers(pool.router).size() == 2);
    CHECK(test.count("1 got") == 0);
  });
}

TEST_CASE("180v tail chopping: another routee after each interval, until one answers") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).tail_chopping(5s, 100ms), answering({"1", "2"}));
    pool.ask();
    for (int tried = 1; tried <= 3; ++tried) {
      if (test.count("asker reply 3") == 0) CHECK(pool.count("asked", 3) == tried);
      test.world.advance(100ms);
    }
    CHECK(test.count("asker reply 3") == 1);
    CHECK(test.count("3 asked") == 1);
  });
}

TEST_CASE("180v tail chopping: no answer in time is an AskTimeout") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).tail_chopping(300ms, 100ms), answering({"1", "2"}));
    pool.ask();
    test.world.advance(299ms);
    CHECK(pool.count("asked", 2) == 2);
    test.world.advance(1ms);
    CHECK(test.life_of("asker").find("refused actord::AskTimeout") != std::string::npos);
  });
}

TEST_CASE("180v consistent hashing: the same routee for the same key, as long as it lives") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).consistent_hashing().hash_by<Note>(
                        [](const Note& note) { return static_cast<std::uint64_t>(note.n % 10); }));
    for (int n = 0; n < 60; ++n) pool.note(n);
    test.world.run();
    std::map<int, std::string> home;
    for (int n = 0; n < 60; ++n) {
      for (const char* name : {"1", "2", "3"}) {
        if (test.count(std::string{name} + " got " + std::to_string(n)) == 0) continue;
        CHECK(home.emplace(n % 10, name).first->second == name);
      }
    }
    CHECK(home.size() == 10);
    // When a routee goes, only its keys move.
    test.stop(pool.routee(2));
    test.world.run();
    for (int n = 60; n < 70; ++n) pool.note(n);
    test.world.run();
    for (int n = 60; n < 70; ++n) {
      if (home[n % 10] == "2") continue;
      CHECK(test.count(home[n % 10] + " got " + std::to_string(n)) == 1);
    }
  });
}

TEST_CASE("180v consistent hashing: the key is a field, and a message without is a dead letter") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(4).consistent_hashing().hash_by_field("n"));
    CHECK(test.read_dead_letters().empty());
    for (int i = 0; i < 6; ++i) pool.note(5);
    test.world.run();
    CHECK(pool.count("got 5", 4) == 6);
    const bool is_one = [&] {
      for (int i = 1; i <= 4; ++i)
        if (test.count(std::to_string(i) + " got 5") == 6) return true;
      return false;
    }();
    CHECK(is_one);
    pool.order(BackgroundMessage{});
    REQUIRE(test.dead_letters.size() == 1);
    CHECK(test.dead_letters[0].type == "play.BackgroundMessage/1");
    CHECK(test.dead_letters[0].path == "/user/boss/router");
    CHECK(test.dead_letters[0].reason == "no-routee");
  });
}

TEST_CASE("180v balancing: a routee gets a message when it has handled the one before") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).balancing());
    test.send_system(pool.routee(1), actor::SystemMessage::suspend());
    test.world.run();
    for (int n = 0; n < 30; ++n) pool.note(n);
    test.world.run();
    // One waits for the first, and the others have handled the rest.
    int handled = 0;
    for (int n = 0; n < 30; ++n) handled += pool.count("got " + std::to_string(n), 3);
    CHECK(handled == 29);
    test.send_system(pool.routee(1), actor::SystemMessage::resume());
    test.world.run();
    CHECK(test.life_of("1").find("got") != std::string::npos);
    CHECK(pool.count("got 29", 3) == 1);
  });
}

TEST_CASE("180v balancing: a mailbox with room for the credits of a routee is large enough") {
  struct Case {
    std::int64_t capacity, credits;
  };
  for (const Case each : {Case{1, 1}, Case{2, 2}, Case{3, 2}}) {
    for (const actor::Overflow overflow : {actor::Overflow::drop_new, actor::Overflow::drop_old,
                                           actor::Overflow::fail_sender, actor::Overflow::wait}) {
      SeededTest::Setup setup;
      setup.before_start = [&](SeededTest& test) {
        test.deployments = {
            {"/user/boss/router/*", {.mailbox_capacity = each.capacity, .overflow = overflow}}};
      };
      under_seeds(
          [&](SeededTest& test) {
            Pool pool(test, actord::pool(2).balancing(each.credits));
            CHECK(test.read_dead_letters().empty());
            for (int n = 0; n < 20; ++n) pool.note(n);
            test.world.run();
            int handled = 0;
            for (int n = 0; n < 20; ++n) handled += pool.count("got " + std::to_string(n), 2);
            CHECK(handled == 20);
            test.stop(pool.router);
            test.world.run();
            CHECK(test.dead_letters.empty());
          },
          setup);
    }
  }
}

TEST_CASE("180v balancing: a router that is restarted knows which of its routees are busy") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).balancing());
    test.suspend(pool.routee(1));
    for (int n = 0; n < 3; ++n) pool.note(n);
    test.world.run();
    test.fail<Restarting>(pool.routee(2));  // and the router is restarted
    CHECK(test.count("2 new 1") == 1);
    for (int n = 10; n < 16; ++n) pool.note(n);
    test.world.run();
    int handled = 0;
    for (int n = 10; n < 16; ++n) handled += pool.count("got " + std::to_string(n), 3);
    CHECK(handled == 6);
    test.resume(pool.routee(1));
    test.world.run();
    CHECK(test.life_of("1").find("got") != std::string::npos);
  });
}

TEST_CASE("180v balancing: a message that a routee gives up, or loses, does not hold it up") {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.deployments = {{"/user/boss/router/*", {.attempts_max = 3}}};
  };
  under_seeds(
      [](SeededTest& test) {
        Pool pool(test, actord::pool(2).balancing().strategy(actord::one_for_one()),
                  {.question = [](ScriptedActor&, Context&, const Question& question) {
                    if (question.n == 7) throw Restarting("boom");
                  }});
        for (int i = 0; i < 4; ++i) pool.ask(1s);
        for (int n = 0; n < 6; ++n) pool.note(n);
        test.world.run();
        int handled = 0;
        for (int n = 0; n < 6; ++n) handled += pool.count("got " + std::to_string(n), 2);
        CHECK(handled == 6);
      },
      setup);
}

TEST_CASE("180v balancing: a routee has as many messages at once as it has credits") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).balancing(3));
    const Ref other = test.spawn("other");
    pool.order(AddRoutee{other});
    test.send_system(pool.routee(1), actor::SystemMessage::suspend());
    test.send_system(other, actor::SystemMessage::suspend());
    test.world.run();
    for (int n = 0; n < 30; ++n) pool.note(n);
    test.world.run();
    int handled = 0;
    for (int n = 0; n < 30; ++n) handled += pool.count("got " + std::to_string(n), 2);
    CHECK(handled == 24);
    // Whatever the supervisor decides, the credit comes back.
    test.queue_failure<Resuming>(pool.routee(1));
    test.send_system(pool.routee(1), actor::SystemMessage::resume());
    test.send_system(other, actor::SystemMessage::resume());
    test.world.run();
    int late = 0;
    for (int n = 0; n < 30; ++n)
      late +=
          pool.count("got " + std::to_string(n), 2) + test.count("other got " + std::to_string(n));
    CHECK(late == 30);
  });
}

TEST_CASE("180v balancing: what a routee takes with it does not hold up the others") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).balancing());
    for (const int n : {1, 2}) test.send_system(pool.routee(n), actor::SystemMessage::suspend());
    test.world.run();
    for (int n = 0; n < 6; ++n) pool.note(n);
    test.world.run();
    test.stop(pool.routee(1));
    test.send_system(pool.routee(2), actor::SystemMessage::resume());
    test.world.run();
    int handled = 0;
    for (int n = 0; n < 6; ++n) handled += pool.count("got " + std::to_string(n), 2);
    CHECK(handled == 5);
  });
}

// ---- orders -------------------------------------------------------------------------------------

TEST_CASE("180w GetRoutees tells the routees, and AddRoutee and RemoveRoutee change them") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).round_robin());
    const Ref other = test.spawn("other");
    pool.order(AddRoutee{other});
    CHECK(pool.routees() == std::vector<Ref>{pool.routee(1), pool.routee(2), other});
    for (int n = 0; n < 3; ++n) pool.note(n);
    test.world.run();
    CHECK(test.life_of("other").find("got") != std::string::npos);
    std::vector<Ref> told;
    test.world.spawn<Listener>("listener", pool.router, &told);
    test.world.run();
    CHECK(told == pool.routees());
    pool.order(RemoveRoutee{other});
    CHECK(pool.routees().size() == 2);
    test.world.advance(1s);
    CHECK(test.is_alive(other));
  });
}

TEST_CASE("180w a child that is removed handles what it has, and stops") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).round_robin());
    CHECK(test.read_dead_letters().empty());
    const Ref gone = pool.routee(2);
    test.send_system(gone, actor::SystemMessage::suspend());
    test.world.run();
    for (int n = 0; n < 4; ++n) pool.note(n);
    pool.order(RemoveRoutee{gone});
    CHECK(test.is_alive(gone));
    test.send_system(gone, actor::SystemMessage::resume());
    test.world.advance(100ms);
    CHECK_FALSE(test.is_alive(gone));
    CHECK(pool.count("got 1", 2) + pool.count("got 3", 2) == 2);
    CHECK(test.dead_letters.empty());
    CHECK(test.is_alive(pool.router));
  });
}

TEST_CASE("180w AdjustPoolSize makes a pool larger and smaller; its last routee ends it") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).round_robin());
    pool.order(AdjustPoolSize{3});
    CHECK(pool.routees().size() == 5);
    pool.order(AdjustPoolSize{-4});
    CHECK(pool.routees() == std::vector<Ref>{pool.routee(1)});
    test.world.advance(100ms);
    CHECK_FALSE(pool.routee(5));
    pool.order(AdjustPoolSize{-9});
    test.world.advance(100ms);
    CHECK_FALSE(test.is_alive(pool.router));
  });
}

TEST_CASE("180w an order by hand leaves a pool within the bounds of its resizer") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(3).round_robin().resizer({.lower = 2, .upper = 5}));
    pool.order(AdjustPoolSize{INT64_MAX});
    CHECK(pool.routees().size() == 5);
    pool.order(AdjustPoolSize{INT64_MIN});
    CHECK(pool.routees().size() == 2);
    test.world.advance(100ms);
    CHECK(test.is_alive(pool.router));
  });
}

TEST_CASE("180w the dead letters of a router without routees name the router") {
  under_seeds([](SeededTest& test) {
    const Ref boss = test.spawn("boss"), asker = test.spawn("asker");
    Ref router;
    test.perform(boss, [&](ScriptedActor&, Context& ctx) {
      router = ctx.spawn_router("none", actord::group({"/user/nobody"}).round_robin());
    });
    CHECK(test.read_dead_letters().empty());
    test.note(router, 1);
    test.world.run();
    REQUIRE(test.dead_letters.size() == 1);
    CHECK(test.dead_letters[0].path == "/user/boss/none");
    CHECK(test.dead_letters[0].reason == "no-routee");
    test.perform(asker, [&](ScriptedActor&, Context& ctx) {
      ctx.ask<&ScriptedActor::asked>(router, Question{7}, 10s);
    });
    CHECK(test.count("asker refused actord::NoRecipient: play.Question/1 did not reach "
                     "/user/boss/none: no-routee") == 1);
  });
}

TEST_CASE("180w a routee from elsewhere that stops is a routee no more, also after a restart") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(1).round_robin());
    const Ref other = test.spawn("other");
    pool.order(AddRoutee{other});
    test.fail<Restarting>(pool.routee(1));  // and the router is restarted
    CHECK(test.count("1 new 1") == 1);
    CHECK(pool.routees().size() == 2);
    test.stop(other);
    test.world.run();
    CHECK(pool.routees() == std::vector<Ref>{pool.routee(1)});
  });
}

// ---- resizers -----------------------------------------------------------------------------------

TEST_CASE("180x by how much a pool grows and shrinks") {
  const Resizer resizer{.lower = 2, .upper = 10};
  const auto by = [&](std::int64_t size, std::int64_t pressed) {
    return detail::resize_by(resizer, size, pressed);
  };
  CHECK(by(0, 0) == 2);  // up to the lower bound
  CHECK(by(5, 5) == 1);  // a fifth, rounded up
  CHECK(by(6, 6) == 2);
  CHECK(by(6, 5) == 0);    // not all are under pressure
  CHECK(by(9, 9) == 1);    // not beyond the upper bound
  CHECK(by(10, 2) == -1);  // less than 0.3 of them are
  CHECK(by(10, 3) == 0);
  CHECK(by(2, 0) == 0);  // not below the lower bound
  CHECK(by(14, 14) == -4);
  CHECK(detail::resize_by({.lower = 1, .upper = 10, .backoff_threshold = 0}, 10, 0) == 0);
}

TEST_CASE("180x a pool grows under pressure, and shrinks when it is over") {
  under_seeds([](SeededTest& test) {
    Pool pool(test, actord::pool(2).round_robin().resizer(
                        {.lower = 2, .upper = 5, .rampup_rate = 0.5, .backoff_rate = 0.5}));
    for (const int n : {1, 2}) test.send_system(pool.routee(n), actor::SystemMessage::suspend());
    test.world.run();
    for (int n = 0; n < 8; ++n) pool.note(n);
    test.world.run();
    CHECK(pool.routees().size() == 2);
    test.world.advance(1s);
    CHECK(pool.routees().size() == 3);
    test.world.advance(1s);  // the third has nothing to do
    CHECK(pool.routees().size() == 3);
    for (const int n : {1, 2}) test.send_system(pool.routee(n), actor::SystemMessage::resume());
    test.world.run();
    test.world.advance(2s);
    CHECK(pool.routees().size() == 2);
    int handled = 0;
    for (int n = 0; n < 8; ++n) handled += pool.count("got " + std::to_string(n), 5);
    CHECK(handled == 8);
  });
}

}  // namespace actord::conformance::router_logics
