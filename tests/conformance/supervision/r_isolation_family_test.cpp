// SPDX-License-Identifier: Apache-2.0
//
// The supervisors, peers and moments of actors in host processes that end: items 181g, 181h, 181k
// and 181l.
#include "isolation_support.hpp"

namespace actord::conformance {

TEST_CASE("181g a supervisor in the same process escalates, and one above decides for both") {
  under_seeds(
      [](SeededTest& test) {
        crash(test, test.find("/user/boss/middle/leaf"));
        CHECK(test.count("boss judged") == 1);
        CHECK(test.count("middle judged") == 0);
        CHECK(test.life_of("middle") == lost_and_restarted);
        CHECK(test.life_of("leaf") == "new 0, pre_start 0, new 1, pre_start 1");
        CHECK(test.answers(test.find("/user/boss/middle")));
        CHECK(test.answers(test.find("/user/boss/middle/leaf")));
        CHECK(test.world.events("actor.failed").size() == 1);
      },
      isolated({in_actord("boss", {in_process("middle", "vat", {in_process("leaf")})})}, [] {
        const auto judging = [](Directive directive) -> Script {
          return {.decide = [directive](ScriptedActor& actor, Context&, const Failure&) {
            actor.record("judged");
            return directive;
          }};
        };
        return Scripts{{"boss", judging(Directive::resume)}, {"middle", judging(Directive::stop)}};
      }));
}

TEST_CASE("181g the verdict stop stops the supervisor that was lost with the actor") {
  under_seeds(
      [](SeededTest& test) {
        crash(test, test.find("/user/boss/middle/leaf"));
        CHECK(test.find("/user/boss/middle") == Ref{});
        CHECK(test.life_of("middle") == "new 0, pre_start 0");
        CHECK(test.life_of("leaf") == "new 0, pre_start 0");
        CHECK(test.answers(test.find("/user/boss")));
      },
      isolated({in_actord("boss", {in_process("middle", "vat", {in_process("leaf")})},
                          always(actor::Strategy::Otherwise::stop))}));
}

TEST_CASE("181h the other actors of the process fail with PeerCrash, which no limit counts") {
  under_seeds(
      [](SeededTest& test) {
        const Ref peer = test.find("/user/boss/peer");
        const std::uint32_t crashes = 4;
        for (std::uint32_t i = 0; i < crashes; ++i) crash(test, test.find("/user/other/culprit"));
        CHECK(test.is_alive(peer));
        CHECK(test.world.incarnation(peer.value) == crashes);
        int peers = 0;
        for (const auto& line : test.world.events("actor.failed"))
          peers += line.field("failure.type") == "actord::PeerCrash" ? 1 : 0;
        CHECK(peers == crashes);
        crash(test, peer);  // its own does count
        CHECK(test.is_alive(peer));
        crash(test, peer);
        CHECK_FALSE(test.is_alive(peer));
      },
      isolated({in_actord("boss", {in_process("peer")}, restarting(1)),
                in_actord("other", {in_process("culprit")}, restarts())}));
}

TEST_CASE("181h a process that ends while no actor is busy fails all of them with its end") {
  under_seeds(
      [](SeededTest& test) {
        kill(test);
        test.world.run();
        const auto failed = test.world.events("actor.failed");
        REQUIRE(failed.size() == 2);
        for (const auto& line : failed)
          CHECK(line.field("failure.type") == "actord::crash::SIGSEGV");
        for (const char* name : {"a", "b"}) CHECK(test.life_of(name) == lost_and_restarted);
      },
      isolated({in_actord("boss", {in_process("a"), in_process("b")}, restarts())}));
}

TEST_CASE("181h peers that wait for a verdict, or are suspended, are restarted by what comes") {
  under_seeds(
      [](SeededTest& test) {
        const Ref a = test.find("/user/boss/a"), b = test.find("/user/boss/b");
        test.queue_failure<Resuming>(b);
        test.note(b, 1);
        queue_crash(test, a);
        test.note(a, 2);
        test.world.run();
        CHECK(test.count("b got 1") == 1);
        CHECK(test.count("a got 2") == 1);
        for (const Ref each : {a, b}) {
          CHECK(test.cell(each).life.suspensions() == 0);
          CHECK(test.answers(each));
          CHECK(test.world.incarnation(each.value) == 1);
        }
      },
      isolated({in_actord("boss", {in_process("a"), in_process("b")}, [] {
        actor::Strategy strategy = always(actor::Strategy::Otherwise::resume);
        return strategy;
      }())}));
}

// Two children have failed at once, of which each restarts all, as two exceptions would.
TEST_CASE("181h all for one: the siblings elsewhere restart with those that are lost") {
  under_seeds(
      [](SeededTest& test) {
        crash(test, test.find("/user/boss/a"));
        for (const char* path : {"/user/boss/a", "/user/boss/b", "/user/boss/c"}) {
          CHECK(test.answers(test.find(path)));
          CHECK(test.world.incarnation(test.find(path).value) == 2);
          CHECK(test.cell(test.find(path)).life.suspensions() == 0);
        }
        crash(test, test.find("/user/boss/a"));  // the limit has counted the first crash alone
        CHECK(test.find("/user/boss/c") == Ref{});
      },
      isolated({in_actord("boss", {in_process("a"), in_process("b"), in_process("c", "elsewhere")},
                          with(actor::Strategy::Kind::all_for_one, 1))}));
}

TEST_CASE("181k in the constructor and pre_start it is an initialization failure") {
  for (const bool is_constructor : {false, true}) {
    CAPTURE(is_constructor);
    under_seeds(
        [](SeededTest& test) {
          const auto failed = test.world.events("actor.failed");
          REQUIRE(failed.size() == 1);
          CHECK(failed[0].field("failure.type") == "actord::InitializationFailure");
          CHECK(test.find("/user/boss/child") == Ref{});
          CHECK(test.answers(test.find("/user/boss")));
        },
        isolated({in_actord("boss", {in_process("child")})}, [is_constructor] {
          const auto dies = [](ScriptedActor& actor, Context&) { kill(actor.test()); };
          return Scripts{
              {"child", is_constructor ? Script{.construct = dies} : Script{.pre_start = dies}}};
        }));
  }
}

TEST_CASE("181k in post_restart it is a failed restart, and the default decider stops the actor") {
  under_seeds(
      [](SeededTest& test) {
        test.fail<Restarting>(child_of(test));
        CHECK(test.find("/user/boss/child") == Ref{});
        CHECK(test.life_of("child") ==
              "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1");
        const auto failed = test.world.events("actor.failed");
        REQUIRE(failed.size() == 2);
        CHECK(failed[1].field("failure.type") == "actord::PostRestartFailure");
      },
      isolated({in_actord("boss", {in_process("child")})}, [] {
        return Scripts{
            {"child", {.post_restart = [](ScriptedActor& actor, Context&, const Failure&) {
               kill(actor.test());
             }}}};
      }));
}

TEST_CASE("181k in post_stop and pre_restart the stop and the restart go on, and a line tells") {
  const auto scripts = [] {
    return Scripts{{"child",
                    {.post_stop =
                         [](ScriptedActor& actor, Context&) {
                           if (actor.number() == 1) kill(actor.test());
                         },
                     .pre_restart = [](ScriptedActor& actor, Context&,
                                       const Failure&) { kill(actor.test()); }}}};
  };
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test);
        test.fail<Restarting>(child);
        CHECK(test.life_of("child") ==
              "new 0, pre_start 0, pre_restart 0, new 1, post_restart 1, pre_start 1");
        CHECK(test.world.events("actor.pre_restart-failed").size() == 1);
        CHECK(test.answers(child));
        test.stop(child);
        CHECK_FALSE(test.is_alive(child));
        CHECK(test.world.events("actor.post_stop-failed").size() == 1);
      },
      isolated({in_actord("boss", {in_process("child")}, restarts())}, scripts));
}

TEST_CASE("181k in decide the supervisor fails, and not the child") {
  under_seeds(
      [](SeededTest& test) {
        const Ref leaf = test.find("/user/boss/judge/leaf");
        test.fail<Restarting>(leaf);
        CHECK(test.count("boss judged") == 1);
        CHECK(test.life_of("judge") == lost_and_restarted);
        CHECK(test.answers(test.find("/user/boss/judge")));
        CHECK(test.answers(test.find("/user/boss/judge/leaf")));
      },
      isolated(
          {in_actord("boss", {in_process("judge", "vat", {in_process("leaf", "elsewhere")})})}, [] {
            return Scripts{{"boss",
                            {.decide =
                                 [](ScriptedActor& boss, Context&, const Failure& f) {
                                   boss.record("judged");
                                   CHECK(f.is("actord::crash::SIGSEGV"));
                                   return Directive::restart;
                                 }}},
                           {"judge", {.decide = [](ScriptedActor& judge, Context&, const Failure&) {
                              kill(judge.test());
                              return Directive::stop;
                            }}}};
          }));
}

TEST_CASE("181k a process that ends before the instance is begun is tried again") {
  under_seeds(
      [](SeededTest& test) {
        crash(test, child_of(test));
        let_end_at(test, 1, Fate::dies_before);
        test.stop(child_of(test));
        CHECK(test.find("/user/boss/child") == Ref{});
      },
      one());
  under_seeds(
      [](SeededTest& test) {
        queue_crash(test, child_of(test));
        let_end_at(test, 2, Fate::dies_before);  // the first call is the message, then create
        test.world.run();
        CHECK(test.life_of("child") == lost_and_restarted);
        CHECK(test.world.events("actor.failed").size() == 1);
      },
      one());
}

TEST_CASE("181g escalated, the crash restarts the supervisor, which keeps its own instance until") {
  under_seeds(
      [](SeededTest& test) {
        crash(test, test.find("/user/top/boss/child"));
        CHECK(test.life_of("boss") ==
              "new 0, pre_start 0, pre_restart 0, post_stop 0, new 1, post_restart 1, pre_start 1");
        CHECK(test.life_of("child") == "new 0, pre_start 0, new 1, pre_start 1");
        CHECK(test.answers(test.find("/user/top/boss/child")));
      },
      isolated({in_actord(
          "top",
          {in_actord("boss", {in_process("child")}, always(actor::Strategy::Otherwise::escalate))},
          restarts())}));
}

TEST_CASE("181d a back-off delays the restart, and what is told meanwhile is kept") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test);
        queue_crash(test, child);
        test.note(child, 1);
        test.world.run();
        test.note(child, 2);
        kill(test);  // it is not there: nothing happens
        test.world.run();
        CHECK(test.cell(child).life.stage() == actor::Stage::backing_off);
        CHECK(test.life_of("child") == "new 0, pre_start 0");
        test.world.advance(100ms);
        CHECK(test.life_of("child") == std::string{lost_and_restarted} + ", got 1, got 2");
      },
      [] {
        actor::Strategy strategy = restarts();
        strategy.backoff = actor::Backoff{
            .min_ns = 100 * ms, .max_ns = 800 * ms, .random_factor = 0, .reset_after_ns = 200 * ms};
        return isolated({in_actord("boss", {in_process("child")}, strategy)});
      }());
}

TEST_CASE("181l a reload goes on after the loss of the actors that it restarts") {
  for (int steps = 0; steps < 24; ++steps) {
    CAPTURE(steps);
    under_seeds(
        [steps](SeededTest& test) {
          const auto nodes = [](const std::string& content) {
            Nodes children{in_process("child"), in_process("other")};
            for (Node& each : children) each.content = content;
            return Nodes{in_actord("boss", std::move(children), restarts())};
          };
          const Change change = configure(test, nodes("new"));
          for (int i = 0; i < steps; ++i) test.world.step();
          kill(test);
          test.world.run();
          CHECK(*change.is_done);
          for (const char* path : {"/user/boss/child", "/user/boss/other"}) {
            CHECK(test.answers(test.find(path)));
            CHECK(test.cell(test.find(path)).life.suspensions() == 0);
          }
        },
        isolated({in_actord("boss", {in_process("child"), in_process("other")}, restarts())}));
  }
}

TEST_CASE("181l a reload that changes the group restarts the actor in the other process") {
  under_seeds(
      [](SeededTest& test) {
        const Ref child = child_of(test);
        const Change change =
            reconfigure(test, {in_actord("boss", {in_process("child", "new")}, restarts())});
        CHECK(*change.is_done);
        CHECK(child_of(test) == child);
        CHECK(test.world.incarnation(child.value) == 1);
        kill(test, "vat");
        test.world.run();
        CHECK(test.world.incarnation(child.value) == 1);
        kill(test, "new");
        test.world.run();
        CHECK(test.world.incarnation(child.value) == 2);
      },
      one());
}

TEST_CASE("181b wherever the process ends, nothing is lost but the message, and nothing is left") {
  for (const Fate fate : {Fate::dies_before, Fate::dies_after, Fate::garbles}) {
    for (int call = 1; call < 40; ++call) {
      CAPTURE(call);
      CAPTURE(static_cast<int>(fate));
      under_seeds(
          [&](SeededTest& test) {
            const Ref a = test.find("/user/boss/a"), b = test.find("/user/boss/a/b");
            let_end_at(test, call, fate);
            test.fail<Restarting>(b);
            for (int n = 0; n < 8; ++n) {
              test.note(a, n);
              test.note(b, n);
            }
            test.fail<Restarting>(a);
            test.stop(test.find("/user/boss/a/b"));
            for (int n = 0; n < 8; ++n) CHECK(test.count("a got " + std::to_string(n)) == 1);
            test.world.loopback()->choose_fates_with({});
            CHECK(test.answers(test.find("/user/boss")));
            CHECK(test.answers(test.find("/user/boss/a")));
          },
          isolated({in_actord("boss", {in_process("a", "vat", {in_process("b")})}, restarts())}));
    }
  }
}

}  // namespace actord::conformance
