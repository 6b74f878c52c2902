// SPDX-License-Identifier: Apache-2.0
//
// Persistent actors: item 183, snapshots, ids, durable state, and the begin and the end.
#include "persistence_support.hpp"

namespace actord::conformance::persistence {

// ---- 183n ---------------------------------------------------------------------------------------

TEST_CASE("183n a snapshot is stored after so many events, and the next recovery begins there") {
  Wanted wanted;
  wanted.journal.snapshot_every = 4;
  restarted(
      [](Scene& it) {
        add_all(it, {1, 2, 3, 4, 5, 6});
        const auto snapshots = it.store().snapshots("/user/ledger");
        REQUIRE(snapshots.size() == 1);
        CHECK(snapshots[0].sequence == 4);
        CHECK(snapshots[0].type == "ledger.Sum/1");
      },
      [](Scene& it) {
        CHECK(it.entries() == "start, recovered 21");
        CHECK(it.test.world.system().event_journal()->report().replayed == 2);
        it.perform(it.ledger(),
                   [](Ledger& ledger, Context&) { CHECK(ledger.state().events == 6); });
      },
      wanted);
}

TEST_CASE("183n an actor may save a snapshot itself, and delete the events that it has") {
  restarted(
      [](Scene& it) {
        add_all(it, {1, 2, 3});
        it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) { ledger.save_snapshot(ctx); });
        add_all(it, {4});
        // Event 4 is in no snapshot.
        it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) { ledger.delete_events(ctx, 4); });
        CHECK(it.store().events("/user/ledger").size() == 1);
      },
      [](Scene& it) { CHECK(it.entries() == "start, recovered 10"); });
}

TEST_CASE("183n events are deleted only when an earlier snapshot has them, if that is configured") {
  Wanted wanted;
  wanted.journal.snapshot_every = 2;
  wanted.journal.deletes_events = true;
  restarted(
      [](Scene& it) {
        add_all(it, {1, 2, 3});
        CHECK(it.store().events("/user/ledger").size() == 3);
        add_all(it, {4});
        // The snapshot of event 2 was there when that of event 4 was stored.
        CHECK(it.store().events("/user/ledger").size() == 2);
      },
      [](Scene& it) { CHECK(it.entries() == "start, recovered 10"); }, wanted);
}

TEST_CASE("183n a snapshot that cannot be stored is logged, and the actor goes on") {
  under_seeds([](Scene& it) {
    add_all(it, {1});
    it.store().fail_at([](MemoryStore::Point point) -> std::optional<StoreError> {
      if (point != MemoryStore::Point::write) return {};
      return StoreError{Fault::full, "no room"};
    });
    it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) { ledger.save_snapshot(ctx); });
    REQUIRE(it.test.world.events("actor.snapshot-failed").size() == 1);
    it.store().fail_at({});
    add_all(it, {2});
    CHECK(it.count("total 3") == 1);
  });
}

TEST_CASE("183n while a snapshot is being stored, the next one counts from it") {
  Wanted wanted;
  wanted.journal.snapshot_every = 2;
  wanted.journal.group_events_max = 1;
  under_seeds(
      [](Scene& it) {
        for (int i = 0; i < 12; ++i)
          it.perform(it.ledger(),
                     [](Ledger& ledger, Context& ctx) { ledger.persist_async(ctx, Added{1}); });
        const std::uint64_t one_by_one = it.test.world.system().event_journal()->report().snapshots;
        CHECK(one_by_one == 6);
        it.hold_journal();
        for (int i = 0; i < 12; ++i)
          it.perform(it.ledger(),
                     [](Ledger& ledger, Context& ctx) { ledger.persist_async(ctx, Added{1}); });
        it.release_journal();
        it.test.world.run();
        CHECK(it.test.world.system().event_journal()->report().snapshots == 12);
      },
      wanted);
}

// ---- 183o ---------------------------------------------------------------------------------------

TEST_CASE("183o the persistence id is the path, or what the actor says; it does not change") {
  Wanted wanted;
  wanted.prepare = [](Book& book) {
    book.on_start = [](Ledger&, Context& ctx) { Ledger::persistence_id(ctx, "accounts"); };
  };
  under_seeds(
      [](Scene& it) {
        add_all(it, {1});
        CHECK(it.stored("accounts") == 1);
        CHECK(it.store().events("/user/ledger").empty());
        it.book.on_start = [](Ledger&, Context& ctx) { Ledger::persistence_id(ctx, "others"); };
        it.perform(it.ledger(), [](Ledger&, Context&) { throw Error("again"); });
        CHECK(it.test.world.events("actor.failed").back().field("failure.message") ==
              "the persistence id of an actor is the same for all its incarnations; it was "
              "\"accounts\"");
      },
      wanted);
}

TEST_CASE("183o behind a configured back-off supervisor an actor has the id that it has without") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Wanted wanted;
    wanted.store = std::make_shared<MemoryStore>();
    run_process(seed, wanted, [](Scene& it) { add_all(it, {4}); });
    wanted.is_behind_backoff = true;
    run_process(seed, wanted, [](Scene& it) {
      const Ref ledger = it.test.find("/user/ledger/ledger");
      REQUIRE(ledger);
      CHECK(it.entries() == "start, recovered 4");
      it.add(ledger, 3);
      it.test.world.run();
      CHECK(it.stored("/user/ledger") == 7);
      CHECK(it.store().events("/user/ledger/ledger").empty());
    });
  }
}

TEST_CASE("183o a persistent actor without a name of its own needs an id") {
  under_seeds([](Scene& it) {
    it.test.world.spawn<Ledger>("");
    const auto failed = it.test.world.events("actor.failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("failure.message") ==
          "a persistent actor needs a name, or calls persistence_id()");
  });
}

TEST_CASE("183o an empty id and one of more than 1 000 bytes are errors of the call") {
  for (const std::string& id : {std::string{}, std::string(1001, 'x')}) {
    Wanted wanted;
    wanted.prepare = [&](Book& book) {
      book.on_start = [&](Ledger&, Context& ctx) { Ledger::persistence_id(ctx, id); };
    };
    run_process(1, wanted, [](Scene& it) {
      REQUIRE(it.test.world.lost_children().size() == 1);
      CHECK(it.test.world.lost_children()[0].what.starts_with(
          "a persistence id has 1 to 1000 bytes"));
    });
  }
}

// ---- 183p ---------------------------------------------------------------------------------------

TEST_CASE("183p of a state that is stored as a whole the newest one is kept") {
  const auto start = [](Scene& it) {
    it.entries();
    return it.test.world.spawn<Keeper>("keeper");
  };
  restarted(
      [&](Scene& it) {
        const actor::Ref keeper = start(it);
        for (const char* const value : {"a", "b", "c"}) it.test.world.tell(keeper, Setting{value});
        it.test.world.run();
        CHECK(it.entries() == "recovered '', stored a, stored b, stored c");
        const auto kept = it.store().events("/user/keeper");
        REQUIRE(kept.size() == 1);
        CHECK(kept[0].sequence == 3);
      },
      [&](Scene& it) {
        const actor::Ref keeper = start(it);
        CHECK(it.entries() == "recovered 'c'");
        it.test.world.send(keeper, Setting{"d"});
        CHECK(it.store().events("/user/keeper").size() == 1);
      });
}

// ---- 183q ---------------------------------------------------------------------------------------

TEST_CASE("183q an event of an earlier version of the plugin is adapted when it is replayed") {
  Wanted wanted;
  wanted.store =
      store_of({{1, "ledger.Added/1", added_before("40")}, {2, "ledger.Added/2", added(2)}});
  run_process(1, wanted, [](Scene& it) { CHECK(it.entries() == "start, recovered 42"); });
}

// ---- 183r ---------------------------------------------------------------------------------------

TEST_CASE("183r a shutdown stores what was persisted before it") {
  restarted(
      [](Scene& it) {
        for (int i = 1; i <= 5; ++i)
          it.queue(it.ledger(),
                   [](Ledger& ledger, Context& ctx) { ledger.persist_async(ctx, Added{1}); });
        it.test.step_until([&] { return it.book.entries.size() >= 2; });
      },
      [](Scene& it) {
        const std::string entries = it.entries();
        CHECK(entries.starts_with("start, recovered "));
      });
  under_seeds([](Scene& it) {
    it.hold_journal();
    it.queue(it.ledger(), [](Ledger& ledger, Context& ctx) {
      ledger.persist_async(ctx, Added{1});
      ctx.stop_self();
    });
    it.test.world.run();
    it.release_journal();
    it.test.world.run();
    CHECK(it.stored() == 1);
  });
}

// ---- 183s ---------------------------------------------------------------------------------------

TEST_CASE("183s persist() before the recovery has ended, or at the end, is an error of the call") {
  Wanted wanted;
  wanted.prepare = [](Book& book) {
    book.on_start = [](Ledger& ledger, Context& ctx) { ledger.persist(ctx, Added{1}); };
  };
  run_process(1, wanted, [](Scene& it) {
    REQUIRE(it.test.world.lost_children().size() == 1);
    CHECK(it.test.world.lost_children()[0].what ==
          "an actor persists events when it has recovered, from recovery_completed() on");
  });
  wanted.prepare = [](Book& book) {
    book.on_stop = [](Ledger& ledger, Context& ctx) { ledger.persist(ctx, Added{1}); };
  };
  run_process(1, wanted, [](Scene& it) {
    it.test.stop(it.ledger());
    it.test.world.run();
    const auto failed = it.test.world.events("actor.post_stop-failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("failure.message") == "an actor that ends cannot persist anything");
  });
}

TEST_CASE("183s recovery_completed() may persist events") {
  Wanted wanted;
  wanted.prepare = [](Book& book) {
    book.on_recovered = [](Ledger& ledger, Context& ctx) {
      ledger.persist(ctx, Added{1}, [] { Ledger::record("begun"); });
    };
  };
  under_seeds(
      [](Scene& it) {
        add_all(it, {1});
        CHECK(it.entries() == "start, recovered 0, begun, add 1, total 2");
      },
      wanted);
}

// ---- 183t ---------------------------------------------------------------------------------------

TEST_CASE("183t an actor whose events were dropped begins anew, with the number behind the last") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Wanted wanted;
    wanted.store = std::make_shared<MemoryStore>();
    run_process(seed, wanted, [](Scene& it) { add_all(it, {1, 2, 3}); });
    REQUIRE(wanted.store->drop("/user/ledger").ok());
    run_process(seed, wanted, [](Scene& it) {
      CHECK(it.entries() == "start, recovered 0");
      it.perform(it.ledger(),
                 [](Ledger& ledger, Context& ctx) { CHECK(ledger.sequence(ctx) == 3); });
      add_all(it, {5});
    });
    run_process(seed, wanted, [](Scene& it) {
      CHECK(it.entries() == "start, recovered 5");
      it.perform(it.ledger(),
                 [](Ledger& ledger, Context& ctx) { CHECK(ledger.sequence(ctx) == 4); });
    });
  }
}

}  // namespace actord::conformance::persistence
