// SPDX-License-Identifier: Apache-2.0
//
// Persistent state machines: item 187, what is stored of them and what a recovery makes of it.
#include "actor/inspection.hpp"
#include "parcel.hpp"

namespace actord::conformance::machines {

// ---- 187a ---------------------------------------------------------------------------------------

TEST_CASE("187a a step is stored with all its events, then made, told, answered and observed") {
  under_seeds({[](Scene& it) {
    Seen told;
    const actor::Ref onlooker = it.test.world.spawn<Onlooker>("onlooker", &told);
    it.test.world.send(it.parcel().value, SubscribeTransitions{}, onlooker);
    CHECK(it.entries() == "recovered packing 0 new");
    it.hold_journal();
    it.perform(
        [](Parcel& parcel, Context&) {
          return parcel.go_to<Stage::sent>()
              .persisting(Packed{2})
              .persisting(Labelled{"to Ada", {}})
              .replying(Answer{7})
              .then([&parcel](Context& c) {
                Parcel::record("then " + parcel.text() + (c.sender() ? " for one" : ""));
                CHECK(c.message_as<Order>() != nullptr);
              });
        },
        onlooker);
    CHECK(it.entries().empty());
    CHECK(told == Seen{"is packing"});
    it.release_journal();
    CHECK(it.entries() == "packing -> sent with sent 2 to Ada, then sent 2 to Ada for one");
    CHECK(told == Seen{"is packing", "packing -> sent", "answer 7"});
    CHECK(it.stored() == "Packed/2 Labelled/1 Parcel/2");
    it.test.world.stop(onlooker);
  }});
}

TEST_CASE("187a a step without events and transition stores nothing, and is made at once") {
  under_seeds({[](Scene& it) {
    Seen told;
    const actor::Ref onlooker = it.test.world.spawn<Onlooker>("onlooker", &told);
    it.entries();
    it.hold_journal();
    it.test.world.send(it.parcel().value, Question{5}, onlooker);
    it.perform(
        [](Parcel& parcel, Context&) {
          return parcel.stay().replying(Answer{6}).then([] { Parcel::record("then"); });
        },
        onlooker);
    CHECK(told == Seen{"answer 5", "answer 6"});
    CHECK(it.entries() == "then");
    it.release_journal();
    CHECK(it.stored().empty());
    it.test.world.stop(onlooker);
  }});
}

TEST_CASE("187a messages wait while a step is being stored, and find the state that it leads to") {
  under_seeds({[](Scene& it) {
    it.entries();
    it.hold_journal();
    for (const int n : {1, 2})
      it.queue([n](Parcel& parcel, Context&) {
        Parcel::record("at " + parcel.text());
        return parcel.go_to(n == 1 ? Stage::sent : Stage::packing).persisting(Packed{n});
      });
    it.test.world.run();
    CHECK(it.entries() == "at packing 0 new");
    it.release_journal();
    CHECK(it.entries() ==
          "packing -> sent with sent 1 new, at sent 1 new, sent -> packing with packing 3 new");
  }});
}

TEST_CASE("187a a step that follows a step or an answer, or is made in a call of its own") {
  under_seeds({[](Scene& it) {
    it.entries();
    it.perform([](Parcel& parcel, Context&) {
      return parcel.stay().persisting(Packed{1}).then([&parcel](Context& c) {
        parcel.carry_out(c, parcel.go_to<Stage::sent>().persisting(Packed{10}));
        Parcel::record("then " + parcel.text());
      });
    });
    CHECK(it.entries() == "then packing 1 new, packing -> sent with sent 11 new");
    const Ref oracle = it.test.spawn("oracle");
    it.perform([oracle](Parcel& parcel, Context& ctx) {
      ctx.ask<&Parcel::asked>(oracle, Question{3}, 1s);
      return parcel.go_to<Stage::packing>();
    });
    CHECK(it.entries() == "sent -> packing with packing 11 new, packing -> sent with sent 14 new");
  }});
}

TEST_CASE("187a a further step waits until the one that is being stored is made") {
  under_seeds({[](Scene& it) {
    it.entries();
    it.hold_journal();
    it.perform([](Parcel& parcel, Context& ctx) {
      parcel.carry_out(ctx, parcel.go_to<Stage::sent>().persisting(Packed{1}).for_max(1s));
      parcel.carry_out(ctx,
                       parcel.stay().persisting(Packed{10}).then([] { Parcel::record("second"); }));
      return parcel.stay();  // says no more
    });
    it.queue([](Parcel& parcel, Context&) {
      Parcel::record("third");
      return parcel.go_to<Stage::packing>();
    });
    it.test.world.run();
    CHECK(it.entries().empty());
    it.release_journal();
    CHECK(it.entries() ==
          "packing -> sent with sent 1 new, second, third, sent -> packing with packing 11 new");
    CHECK(it.stored() == "Packed/2 Parcel/2 Packed/2 Parcel/2 Parcel/2");
  }});
}

// ---- 187b ---------------------------------------------------------------------------------------

TEST_CASE("187b a recovery leads to the state and data after the last step, and tells no one") {
  under_seeds({[](Scene& it) {
                 it.perform(packing(3));
                 it.perform(sending(4));
               },
               [](Scene& it) {
                 CHECK(it.entries() == "recovered sent 7 new");
                 base::IntrusivePtr<actor::Inspection> seen(
                     new actor::Inspection([](actor::Inspection::Outcome) {}));
                 it.test.world.system().inspect(it.parcel().value, seen);
                 it.test.world.run();
                 CHECK(seen->named_state == "sent");
                 CHECK(std::ranges::count(seen->takes, "play.Question/1") == 0);
                 it.test.world.advance(5s);
                 CHECK(it.entries() == "timeout, sent -> packing with packing 7 new");
               },
               [](Scene& it) { CHECK(it.entries() == "recovered packing 7 new"); }});
}

TEST_CASE("187b a restart recovers the machine, and its subscriptions have ended") {
  under_seeds({[](Scene& it) {
    Seen told;
    const actor::Ref onlooker = it.test.world.spawn<Onlooker>("onlooker", &told);
    it.test.world.send(it.parcel().value, SubscribeTransitions{Ref{onlooker}});
    it.perform(sending(1));
    it.entries();
    it.queue([](Parcel&, Context&) -> Parcel::Next { throw Error("again"); });
    it.test.world.run();
    CHECK(it.entries() == "shutdown in sent 1 new, recovered sent 1 new");
    it.perform([](Parcel& parcel, Context&) { return parcel.go_to<Stage::packing>(); });
    CHECK(told == Seen{"is packing", "packing -> sent"});
    it.test.world.stop(onlooker);
  }});
}

TEST_CASE("187b a step that is on its way when the machine is restarted is in the recovery") {
  under_seeds({[](Scene& it) {
    it.entries();
    it.hold_journal();
    it.perform([](Parcel& parcel, Context&) {
      return parcel.go_to<Stage::sent>().persisting(Packed{4}).then(
          [] { Parcel::record("of the first incarnation"); });
    });
    it.restart();
    it.test.world.run();
    it.release_journal();
    CHECK(it.entries() == "shutdown in packing 0 new, recovered sent 4 new");
  }});
}

TEST_CASE("187b what an earlier version has stored is adapted") {
  const std::string packed = persistence::packed(
      "count", [](actord_writer& writer) { writer.text(&writer, message::to_c("5")); });
  const std::string sent =
      persistence::packed("is_sent", [](actord_writer& writer) { writer.boolean(&writer, 1); });
  recover_from({{1, "parcel.Packed/1", packed}, {2, "parcel.Parcel/1", sent}},
               [](Scene& it) { CHECK(it.entries() == "recovered sent 5 new"); });
}

// ---- 187c ---------------------------------------------------------------------------------------

TEST_CASE("187c the state timeout begins anew with the end of the recovery") {
  under_seeds({[](Scene& it) {
                 it.perform(sending(1));
                 it.test.world.advance(4s);
               },
               [](Scene& it) {
                 it.entries();
                 it.test.world.advance(4999ms);
                 CHECK(it.entries().empty());
                 it.test.world.advance(1ms);
                 CHECK(it.entries() == "timeout, sent -> packing with packing 1 new");
               }});
}

TEST_CASE("187c the time of for_max is stored with its step, until the next step that is stored") {
  const auto in_sent_for = [](std::chrono::nanoseconds time) {
    return [time](Parcel& it, Context&) { return it.go_to<Stage::sent>().for_max(time); };
  };
  const auto check_timeout_after = [](Scene& it, std::chrono::nanoseconds time) {
    it.entries();
    it.test.world.advance(time - 1ms);
    CHECK(it.entries().empty());
    it.test.world.advance(1ms);
    CHECK(it.entries().starts_with("timeout"));
  };
  under_seeds({[&](Scene& it) { it.perform(in_sent_for(9s)); },
               [&](Scene& it) {
                 check_timeout_after(it, 9s);
                 it.perform(in_sent_for(9s));
                 it.perform(packing(1));  // the state's own timeout from now on
               },
               [&](Scene& it) {
                 check_timeout_after(it, 5s);
                 it.perform(in_sent_for(Parcel::forever));
               },
               [&](Scene& it) {
                 it.test.world.advance(1h);
                 CHECK(it.entries() == "recovered sent 1 new");
                 it.perform([](Parcel& parcel, Context&) { return parcel.stay().for_max(2s); });
               },
               [&](Scene& it) { check_timeout_after(it, 2s); }});
}

TEST_CASE(
    "187c the time of for_max holds, also if the handler makes its step and returns no other") {
  under_seeds({[](Scene& it) {
    it.perform([](Parcel& parcel, Context& ctx) {
      parcel.carry_out(ctx, parcel.go_to<Stage::sent>().for_max(9s));
      return parcel.stay();
    });
    it.entries();
    it.test.world.advance(8999ms);
    CHECK(it.entries().empty());
    it.test.world.advance(1ms);
    CHECK(it.entries().starts_with("timeout"));
  }});
}

TEST_CASE("187c a state timeout that comes while a step is being stored is void") {
  under_seeds({[](Scene& it) {
    it.perform(sending(1));
    it.test.world.advance(4s);
    it.hold_journal();
    it.perform(packing(1));
    it.test.world.advance(2s);
    it.entries();
    it.release_journal();
    CHECK(it.entries().empty());
    it.test.world.advance(4999ms);
    CHECK(it.entries().empty());
    it.test.world.advance(1ms);
    CHECK(it.entries() == "timeout, sent -> packing with packing 2 new");
  }});
}

// ---- 187h ---------------------------------------------------------------------------------------

TEST_CASE("187h a snapshot has the state, the data and the time of for_max") {
  Wanted wanted;
  wanted.journal.snapshot_every = 4;
  under_seeds({[](Scene& it) {
                 it.perform(packing(1));
                 it.perform([](Parcel& parcel, Context&) {
                   return parcel.go_to<Stage::sent>()
                       .persisting(Packed{2})
                       .persisting(Labelled{"to Ada", {}})
                       .for_max(9s);
                 });
                 const auto snapshots = it.test.world.store().snapshots("/user/parcel");
                 REQUIRE(snapshots.size() == 1);
                 CHECK(snapshots[0].sequence == 4);
                 CHECK(snapshots[0].type == "parcel.Parcel/2");
                 for (const std::uint64_t n : {1, 2, 3, 4})
                   it.test.world.store().forget("/user/parcel", n);
               },
               [](Scene& it) {
                 CHECK(it.entries() == "recovered sent 3 to Ada");
                 it.test.world.advance(8999ms);
                 CHECK(it.entries().empty());
                 it.test.world.advance(1ms);
                 CHECK(it.entries().starts_with("timeout"));
               }},
              wanted);
}

TEST_CASE("187h a machine may save a snapshot itself, and delete the events that it has") {
  under_seeds({[](Scene& it) {
                 it.perform(sending(1));
                 it.perform([](Parcel& parcel, Context& ctx) {
                   parcel.save_snapshot(ctx);
                   return parcel.stay();
                 });
                 it.perform([](Parcel& parcel, Context& ctx) {
                   parcel.delete_events(ctx, parcel.sequence(ctx));
                   return parcel.stay();
                 });
                 CHECK(it.stored().empty());
               },
               [](Scene& it) { CHECK(it.entries() == "recovered sent 1 new"); }});
}

// ---- 187i ---------------------------------------------------------------------------------------

TEST_CASE("187i an unknown next state is an error and a stop, and nothing of its step is stored") {
  under_seeds({[](Scene& it) {
                 it.entries();
                 it.perform([](Parcel& parcel, Context&) {
                   return parcel.go_to(Stage::lost).persisting(Packed{1}).replying(Answer{1});
                 });
                 CHECK(it.entries() == "failure in packing 0 new");
                 CHECK(it.stored().empty());
                 CHECK_FALSE(it.parcel());
               },
               [](Scene& it) { CHECK(it.entries() == "recovered packing 0 new"); }});
}

TEST_CASE("187i a stored state that the machine does not have any more fails the recovery") {
  for (const auto& [state, reason] :
       {std::pair{"lost", "the stored state lost has no When<...> any more"},
        std::pair{"eaten", "state: expected one of packing, sent, lost"}}) {
    const std::string content = persistence::packed(
        "state", [&](actord_writer& writer) { writer.text(&writer, message::to_c(state)); });
    recover_from({{1, "parcel.Parcel/2", content}}, [reason](Scene& it) {
      CHECK_FALSE(it.parcel());
      const auto failed = it.test.world.events("actor.recovery-failed");
      REQUIRE(failed.size() == 1);
      CHECK(failed[0].field("reason").find(reason) != std::string_view::npos);
    });
  }
}

// ---- 187j ---------------------------------------------------------------------------------------

TEST_CASE("187j a machine that stops itself has stored its last step, and begins there again") {
  under_seeds({[](Scene& it) {
                 it.entries();
                 it.perform([](Parcel& parcel, Context&) {
                   return parcel.stop().persisting(Packed{6}).then([] { Parcel::record("then"); });
                 });
                 CHECK(it.entries() == "then, normal in packing 6 new");
                 CHECK_FALSE(it.parcel());
                 CHECK(it.test.world.simulator().timers().size() == 0);
               },
               [](Scene& it) { CHECK(it.entries() == "recovered packing 6 new"); }});
}

TEST_CASE("187j a machine that is stopped while a step is being stored has not made it") {
  under_seeds({[](Scene& it) {
                 it.perform(packing(1));
                 it.entries();
                 it.hold_journal();
                 it.perform(sending(2));
                 it.test.stop(it.parcel());
                 it.test.world.run();
                 CHECK(it.entries() == "shutdown in packing 1 new");
                 it.release_journal();
                 CHECK(it.entries().empty());
               },
               [](Scene& it) { CHECK(it.entries() == "recovered sent 3 new"); }});
}

TEST_CASE("187j a step is made in recovery_completed, and the next message comes behind it") {
  Wanted wanted;
  wanted.prepare = [](Plan& plan) {
    plan.on_recovered = [](Parcel& parcel, Context& ctx) {
      parcel.carry_out(ctx, parcel.go_to<Stage::sent>().persisting(Packed{1}));
    };
  };
  under_seeds({[](Scene& it) {
                 CHECK(it.place() == "sent 1 new");
                 CHECK(it.entries() == "recovered packing 0 new, packing -> sent with sent 1 new");
               },
               [](Scene& it) {
                 CHECK(it.entries() == "recovered sent 1 new, sent -> sent with sent 2 new");
               }},
              wanted);
}

}  // namespace actord::conformance::machines
