// SPDX-License-Identifier: Apache-2.0
//
// Persistent state machines: item 187, failures before a step is stored, of the store, and after.
#include "parcel.hpp"

namespace actord::conformance::machines {

// ---- 187d ---------------------------------------------------------------------------------------

TEST_CASE("187d an event that cannot be applied fails the handler, and is not stored") {
  for (const Verdict verdict : {Verdict::resume, Verdict::restart}) {
    under_seeds({[&](Scene& it) {
                   it.perform(packing(1));
                   it.plan.on_apply = [](const Packed& event) {
                     if (event.n == 13) throw Error("unlucky");
                   };
                   it.perform([](Parcel& parcel, Context&) {
                     return parcel.go_to<Stage::sent>()
                         .persisting(Packed{2})
                         .persisting(Packed{13})
                         .then([] { Parcel::record("never"); });
                   });
                   CHECK(it.failures() == 1);
                   CHECK(it.stored() == "Packed/2");
                   CHECK(it.place() == "packing 1 new");
                   it.perform(packing(4));
                   CHECK(it.place() == "packing 5 new");
                   CHECK(it.entries().find("never") == std::string::npos);
                 },
                 [](Scene& it) { CHECK(it.entries() == "recovered packing 5 new"); }},
                {.strategy = always(verdict)});
  }
}

TEST_CASE("187d a handler that fails after its step has stored nothing, and the timeout goes on") {
  for (const Verdict verdict : {Verdict::resume, Verdict::restart}) {
    under_seeds({[&](Scene& it) {
                  it.perform(sending(1));
                  it.perform([](Parcel& parcel, Context& ctx) -> Parcel::Next {
                    parcel.carry_out(ctx, parcel.go_to<Stage::packing>().persisting(Packed{5}).then(
                                              [] { Parcel::record("never"); }));
                    throw Error("after all");
                  });
                  CHECK(it.stored() == "Packed/2 Parcel/2");
                  it.test.world.advance(4s);
                  CHECK(it.place() == "sent 1 new");
                  it.entries();
                  it.test.world.advance(4999ms);
                  CHECK(it.entries().empty());
                  it.test.world.advance(1ms);
                  CHECK(it.entries() == "timeout, sent -> packing with packing 1 new");
                  it.perform(packing(2));
                  CHECK(it.place() == "packing 3 new");
                  CHECK(it.entries().empty());
                }},
                {.strategy = always(verdict)});
  }
}

// ---- 187e ---------------------------------------------------------------------------------------

TEST_CASE("187e a step with an event that is rejected is not made, and its handler fails") {
  for (const Verdict verdict : {Verdict::resume, Verdict::restart}) {
    under_seeds({[&](Scene& it) {
                  it.perform([](Parcel& parcel, Context& ctx) {
                    return parcel.go_to<Stage::sent>()
                        .persisting(Packed{2})
                        .persisting(Labelled{"me", ctx.self()})
                        .then([] { Parcel::record("never"); });
                  });
                  const auto failed = it.test.world.events("actor.failed");
                  REQUIRE(failed.size() == 1);
                  CHECK(failed[0].field("failure.type") == "actord::StepRejected");
                  CHECK(it.stored().empty());
                  CHECK(it.place() == "packing 0 new");
                  it.perform(sending(1));
                  CHECK(it.place() == "sent 1 new");
                  const std::string entries = it.entries();
                  CHECK(entries.find("rejected parcel.Labelled/1") != std::string::npos);
                  CHECK(entries.find("never") == std::string::npos);
                }},
                {.strategy = always(verdict)});
  }
}

// ---- 187f ---------------------------------------------------------------------------------------

TEST_CASE("187f a step that cannot be stored is not made, and the machine is stopped") {
  for (const Verdict verdict : {Verdict::resume, Verdict::restart, Verdict::escalate}) {
    under_seeds({[](Scene& it) {
                   it.perform(packing(1));
                   it.entries();
                   refuse_writes(it);
                   it.queue(sending(2));
                   it.perform(packing(3));
                   CHECK(it.entries() == "shutdown in packing 1 new");
                   CHECK_FALSE(it.parcel());
                   CHECK(it.failures() == 0);
                   it.test.world.store().fail_at({});
                 },
                 [](Scene& it) { CHECK(it.entries() == "recovered packing 1 new"); }},
                {.strategy = always(verdict)});
  }
}

TEST_CASE("187f a machine that does not hear that its step is stored has it in the next recovery") {
  under_seeds({[](Scene& it) {
                 it.entries();
                 it.test.world.store().fail_at(
                     [](MemoryStore::Point point) -> std::optional<StoreError> {
                       if (point != MemoryStore::Point::commit) return {};
                       return StoreError{Fault::io, "the answer was lost"};
                     });
                 it.perform(sending(9));
                 CHECK(it.entries() == "shutdown in packing 0 new");
                 it.test.world.store().fail_at({});
               },
               [](Scene& it) { CHECK(it.entries() == "recovered sent 9 new"); }});
}

// ---- 187g ---------------------------------------------------------------------------------------

namespace {

/// A step of which one part fails, by a throw or by Context::fail().
void make_failing_step(Scene& it, std::string_view place, bool throws) {
  const auto fail = [throws](Context& ctx) {
    if (throws) throw Error("as told");
    ctx.fail<Error>("as told");
  };
  it.plan.on_transition = [=](Parcel&, Context& ctx, Stage) {
    if (place == "on_transition") fail(ctx);
  };
  it.perform([=](Parcel& parcel, Context&) {
    Parcel::Next next = parcel.go_to<Stage::sent>().persisting(Packed{2});
    if (place == "reply") next = std::move(next).replying(Unlisted{});
    return std::move(next)
        .then([=](Context& c) {
          if (place == "then") fail(c);
        })
        .then([&parcel](Context& c) {
          Parcel::record("last");
          parcel.carry_out(c, parcel.stay().persisting(Packed{10}));
        });
  });
  it.plan.on_transition = {};
}

}  // namespace

TEST_CASE("187g after a failure in a part of a stored step, Resume goes on with those behind it") {
  for (const bool throws : {true, false}) {
    for (const std::string_view place : {"reply", "on_transition", "then"}) {
      CAPTURE(place);
      under_seeds({[&](Scene& it) {
                     Seen told;
                     const actor::Ref onlooker = it.test.world.spawn<Onlooker>("onlooker", &told);
                     it.test.world.send(it.parcel().value, SubscribeTransitions{Ref{onlooker}});
                     it.entries();
                     make_failing_step(it, place, throws);
                     CHECK(it.entries() == "packing -> sent with sent 2 new, last");
                     CHECK(told == Seen{"is packing", "packing -> sent"});
                     CHECK(it.failures() == 1);
                     CHECK(it.place() == "sent 12 new");
                     it.test.world.advance(5s);
                     CHECK(it.place() == "packing 12 new");
                     CHECK(it.stored() == "Packed/2 Parcel/2 Packed/2 Parcel/2");
                     it.test.world.stop(onlooker);
                   },
                   [](Scene& it) { CHECK(it.entries() == "recovered packing 12 new"); }},
                  {.strategy = always(Verdict::resume)});
    }
  }
}

TEST_CASE("187g after a failure in a part of a stored step, Restart leads to where it has led") {
  for (const bool throws : {true, false}) {
    for (const std::string_view place : {"reply", "on_transition", "then"}) {
      CAPTURE(place);
      under_seeds({[&](Scene& it) {
                     make_failing_step(it, place, throws);
                     CHECK(it.entries().ends_with("shutdown in sent 2 new, recovered sent 2 new"));
                     it.perform(packing(1));
                     it.test.world.advance(5s);
                     CHECK(it.place() == "packing 3 new");
                   },
                   [](Scene& it) { CHECK(it.entries() == "recovered packing 3 new"); }},
                  {.strategy = always(Verdict::restart)});
    }
  }
}

TEST_CASE("187g after a failure in a part of a stored step, Stop leaves what the step has led to") {
  under_seeds({[&](Scene& it) {
                 make_failing_step(it, "on_transition", true);
                 CHECK(it.entries().ends_with("shutdown in sent 2 new"));
                 CHECK_FALSE(it.parcel());
               },
               [](Scene& it) { CHECK(it.entries() == "recovered sent 2 new"); }},
              {.strategy = always(Verdict::stop)});
}

// ---- 187h ---------------------------------------------------------------------------------------

TEST_CASE("187h a snapshot that is due when a part of a step fails is of the whole step") {
  Wanted wanted{.strategy = always(Verdict::resume)};
  wanted.journal.snapshot_every = 2;
  under_seeds(
      {[](Scene& it) {
         make_failing_step(it, "on_transition", true);
         it.perform([](Parcel& parcel, Context&) {
           return parcel.go_to<Stage::packing>().persisting(Packed{100}).persisting(Packed{1000});
         });
         const auto snapshots = it.test.world.store().snapshots("/user/parcel");
         REQUIRE(snapshots.size() == 2);
         CHECK(snapshots[0].sequence == 2);  // the end of the step that has failed
         CHECK(snapshots[1].sequence == 6);
         CHECK(it.place() == "packing 1112 new");
       },
       [](Scene& it) { CHECK(it.entries() == "recovered packing 1112 new"); }},
      wanted);
}

}  // namespace actord::conformance::machines
