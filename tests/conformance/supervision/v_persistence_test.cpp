// SPDX-License-Identifier: Apache-2.0
//
// Persistent actors: item 183, the way of events to the journal and back.
#include "persistence_support.hpp"

namespace actord::conformance::persistence {

namespace {

using Verdict = actor::Strategy::Otherwise;

}  // namespace

// ---- 180n ---------------------------------------------------------------------------------------

TEST_CASE("180n a failed write or replay stops the actor, a rejected event does not") {
  Wanted wanted;
  wanted.ledgers = {"ledger", "second"};
  restarted(
      [](Scene& it) {
        it.perform(it.ledger(),
                   [](Ledger& ledger, Context& ctx) { ledger.persist(ctx, Loan{ctx.self()}); });
        CHECK(it.test.is_alive(it.ledger()));
        add_all(it, {2});
        it.store().fail_at([](MemoryStore::Point) -> std::optional<StoreError> {
          return StoreError{Fault::io, "the disk is gone"};
        });
        const Ref second = it.ledger("second");
        it.add(second, 1);
        it.test.world.run();
        CHECK_FALSE(it.test.is_alive(second));
        it.store().fail_at({});
        it.store().forget("/user/ledger", 1);
      },
      [](Scene& it) {
        CHECK_FALSE(it.ledger());
        CHECK(it.ledger("second"));
        CHECK(it.test.world.events("actor.recovery-failed").size() == 1);
      },
      wanted);
}

// ---- 183a ---------------------------------------------------------------------------------------

TEST_CASE("183a the events of an earlier process are replayed before the first message") {
  restarted(
      [](Scene& it) {
        add_all(it, {3, 4, 5});
      },
      [](Scene& it) {
        CHECK(it.entries() == "start, recovered 12");
        it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
          CHECK(ledger.state().events == 3);
          CHECK(ledger.sequence(ctx) == 3);
          CHECK_FALSE(ledger.is_recovering(ctx));
        });
      });
}

TEST_CASE("183a what is sent to an actor that recovers waits in its mailbox") {
  under_seeds([](Scene& it) {
    add_all(it, {1});
    CHECK(it.entries() == "start, recovered 0, add 1, total 1");
    it.hold_journal();
    it.queue(it.ledger(), [](Ledger&, Context&) { throw Error("again"); });
    it.add(it.ledger(), 2);
    it.test.world.run();
    CHECK(it.entries() == "stop, start");
    it.release_journal();
    it.test.world.run();
    CHECK(it.entries() == "recovered 1, add 2, total 3");
  });
}

TEST_CASE("183a a recovery of many events goes on where the last answer has ended") {
  constexpr int many = 3000;
  restarted(
      [](Scene& it) {
        it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
          for (int i = 0; i < many; ++i) ledger.persist(ctx, Added{1});
        });
      },
      [](Scene& it) { CHECK(it.entries() == "start, recovered 3000"); });
}

TEST_CASE("183a an actor that recovers can be stopped") {
  under_seeds([](Scene& it) {
    add_all(it, {1});
    it.hold_journal();
    it.perform(it.ledger(), [](Ledger&, Context&) { throw Error("again"); });
    const Ref ledger = it.ledger();
    it.entries();
    it.test.stop(ledger);
    it.test.world.run();
    CHECK(it.entries() == "stop");
    CHECK_FALSE(it.test.is_alive(ledger));
    it.release_journal();
    it.test.world.run();
    CHECK(it.entries().empty());
  });
}

// ---- 183b ---------------------------------------------------------------------------------------

TEST_CASE(
    "183b an event is stored, then applied, then what follows it runs, then the next message") {
  under_seeds([](Scene& it) {
    it.entries();
    it.hold_journal();
    it.add(it.ledger(), 5);
    it.add(it.ledger(), 6);
    it.test.world.run();
    CHECK(it.entries() == "add 5");
    CHECK(it.stored() == 0);
    it.release_journal();
    it.test.world.run();
    CHECK(it.entries() == "total 5, add 6, total 11");
    CHECK(it.stored() == 11);
  });
}

TEST_CASE("183b a reply after the event goes to the sender of the message") {
  under_seeds([](Scene& it) {
    const Ref other = it.test.spawn("other");
    std::vector<std::string> senders;
    it.queue(it.ledger(), [&](Ledger& ledger, Context& ctx) {
      ledger.persist(ctx, Added{1}, [&](Context& c) { senders.push_back(c.path(c.sender())); });
    });
    it.book.acts.push_back([&](Ledger& ledger, Context& ctx) {
      ledger.persist(ctx, Added{2}, [&](Context& c) { senders.push_back(c.path(c.sender())); });
    });
    it.test.world.tell(it.ledger().value, Do{1}, other.value);
    it.test.world.run();
    CHECK(senders == std::vector<std::string>{"/deadLetters", "/user/other"});
  });
}

TEST_CASE("183b behind the event its message is still the current one: it can be forwarded") {
  under_seeds(
      [](Scene& it) {
        it.entries();
        const Ref second = it.ledger("second");
        it.perform(it.ledger(), [&](Ledger& ledger, Context& ctx) {
          if (ctx.self() == second) return Ledger::record("second has it");
          ledger.persist(ctx, Added{1}, [&](Context& c) {
            CHECK(c.message_as<Do>() != nullptr);
            ledger.persist(c, Added{2}, [&](Context& last) { last.forward(second); });
          });
        });
        CHECK(it.entries() == "second has it");
        CHECK(it.stored() == 3);
      },
      {.ledgers = {"ledger", "second"}});
}

TEST_CASE("183b behind the event its message can be stashed, and comes again") {
  under_seeds([](Scene& it) {
    it.entries();
    int times = 0;
    it.perform(it.ledger(), [&](Ledger& ledger, Context& ctx) {
      Ledger::record("try " + std::to_string(++times));
      if (times == 2) return;
      ledger.persist_async(ctx, Added{1}, [](Context& c) { c.stash(); });
      ledger.persist_async(ctx, Added{2}, [](Context& c) { CHECK_FALSE(c.has_message()); });
    });
    add_all(it, {4});
    it.perform(it.ledger(), [](Ledger&, Context& ctx) { ctx.unstash_all(); });
    CHECK(it.entries() == "try 1, add 4, total 7, try 2");
  });
}

TEST_CASE("183b system messages are handled while events are being stored") {
  under_seeds([](Scene& it) {
    it.hold_journal();
    const Ref ledger = it.ledger();
    it.add(ledger, 5);
    it.test.world.run();
    it.entries();
    it.test.stop(ledger);
    it.test.world.run();
    CHECK(it.entries() == "stop");
    it.release_journal();
    it.test.world.run();
    CHECK(it.stored() == 5);
    CHECK(it.entries().empty());
  });
}

TEST_CASE("183b an inspection tells what is stored, and that the actor waits for the journal") {
  under_seeds([](Scene& it) {
    const auto inspect = [&] {
      base::IntrusivePtr<actor::Inspection> inspection(
          new actor::Inspection([](actor::Inspection::Outcome) {}));
      it.test.world.system().inspect(it.ledger().value, inspection);
      it.test.world.run();
      return inspection;
    };
    add_all(it, {1, 2});
    it.hold_journal();
    it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
      ledger.persist(ctx, Added{3});
      ledger.persist(ctx, Added{4});
    });
    const auto waiting = inspect();
    CHECK(waiting->state == "waiting for the journal");
    REQUIRE(waiting->persistence.has_value());
    CHECK(waiting->persistence->id == "/user/ledger");
    CHECK(waiting->persistence->state.sequence == 2);
    CHECK(waiting->persistence->state.unconfirmed == 2);
    it.release_journal();
    it.test.world.run();
    const auto stored = inspect();
    CHECK(stored->state == "running");
    CHECK(stored->persistence->state.sequence == 4);
    CHECK(stored->persistence->state.unconfirmed == 0);
  });
}

// ---- 183c ---------------------------------------------------------------------------------------

TEST_CASE("183c the events of one handler are stored together, or none of them") {
  for (const bool works : {true, false}) {
    under_seeds([&](Scene& it) {
      it.store().fail_at([&](MemoryStore::Point point) -> std::optional<StoreError> {
        if (works || point != MemoryStore::Point::write) return {};
        return StoreError{Fault::io, "the disk is gone"};
      });
      it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
        for (int i = 1; i <= 3; ++i)
          ledger.persist(ctx, Added{i}, [i](const Added& added) {
            Ledger::record("+" + std::to_string(added.n));
          });
      });
      CHECK(it.store().events("/user/ledger").size() == (works ? 3 : 0));
      CHECK(it.entries() ==
            (works ? "start, recovered 0, +1, +2, +3" : "start, recovered 0, stop"));
    });
  }
}

TEST_CASE("183c a handler that fails has persisted nothing") {
  for (const Verdict verdict : {Verdict::restart, Verdict::resume}) {
    under_seeds(
        [&](Scene& it) {
          it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
            ledger.persist(ctx, Added{5}, [] { Ledger::record("never"); });
            throw Error("after all");
          });
          CHECK(it.stored() == 0);
          add_all(it, {7});
          CHECK(it.count("never") == 0);
          CHECK(it.count("total 7") == 1);
          CHECK(it.store().events("/user/ledger").size() == 1);
        },
        {.strategy = always(verdict)});
  }
}

// ---- 183e ---------------------------------------------------------------------------------------

TEST_CASE(
    "183e events that cannot be stored stop the actor, whatever the supervisor would decide") {
  for (const Verdict verdict : {Verdict::restart, Verdict::resume, Verdict::escalate}) {
    under_seeds(
        [&](Scene& it) {
          add_all(it, {1});
          it.store().fail_at([](MemoryStore::Point point) -> std::optional<StoreError> {
            if (point != MemoryStore::Point::write) return {};
            return StoreError{Fault::full, "there is no room on the disk: make some"};
          });
          const Ref watcher = it.test.spawn("watcher");
          it.test.watch(watcher, it.ledger());
          it.entries();
          add_all(it, {2, 3});
          CHECK(it.entries() == "add 2, stop");
          CHECK(it.test.life_of("watcher").ends_with(" confirmed failed"));
          const auto failed = it.test.world.events("actor.persist-failed");
          REQUIRE(failed.size() == 1);
          CHECK(failed[0].field("persistence.id") == "/user/ledger");
          CHECK(failed[0].field("persistence.sequence") == "1");
          CHECK(failed[0].field("reason") == "full: there is no room on the disk: make some");
          REQUIRE(it.test.world.events("journal.failed").size() == 1);
          CHECK(it.test.world.events("actor.failed").empty());
          CHECK(it.stored() == 1);
        },
        {.strategy = always(verdict)});
  }
}

TEST_CASE("183e the journal says once that it has failed, and once that it works again") {
  Wanted wanted;
  wanted.ledgers = {"ledger", "second"};
  under_seeds(
      [](Scene& it) {
        bool is_broken = true;
        it.store().fail_at([&](MemoryStore::Point) -> std::optional<StoreError> {
          if (!is_broken) return {};
          return StoreError{Fault::io, "the disk is gone"};
        });
        add_all(it, {1});
        it.test.spawn("other");
        CHECK(it.test.world.events("journal.failed").size() == 1);
        CHECK(it.test.world.system().event_journal()->report().fault.has_value());
        is_broken = false;
        it.add(it.ledger("second"), 1);
        it.test.world.run();
        CHECK(it.test.world.events("journal.failed").size() == 1);
        CHECK(it.test.world.events("journal.recovered").size() == 1);
        CHECK(it.count("total 1") == 1);
      },
      wanted);
}

// The medium has the events, and the actor does not know: it must not be told of them as stored.
TEST_CASE("183e an actor that does not hear of a commit is stopped, and the events are there") {
  restarted(
      [](Scene& it) {
        it.store().fail_at([](MemoryStore::Point point) -> std::optional<StoreError> {
          if (point != MemoryStore::Point::commit) return {};
          return StoreError{Fault::io, "the answer was lost"};
        });
        add_all(it, {9});
        CHECK(it.count("total 9") == 0);
        it.store().fail_at({});
      },
      [](Scene& it) { CHECK(it.entries() == "start, recovered 9"); });
}

TEST_CASE("183e an event behind one that was refused is refused for the same reason") {
  Wanted wanted;
  wanted.journal.group_events_max = 1;
  under_seeds(
      [](Scene& it) {
        int writes = 0;
        it.store().fail_at([&](MemoryStore::Point point) -> std::optional<StoreError> {
          if (point != MemoryStore::Point::write || ++writes > 1) return {};
          return StoreError{Fault::full, "there is no room"};
        });
        it.hold_journal();
        for (int i = 1; i <= 3; ++i)
          it.queue(it.ledger(),
                   [i](Ledger& ledger, Context& ctx) { ledger.persist_async(ctx, Added{i}); });
        it.test.world.run();
        it.release_journal();
        it.test.world.run();
        CHECK(it.store().events("/user/ledger").empty());
        CHECK_FALSE(it.ledger());
        const auto failed = it.test.world.events("actor.persist-failed");
        REQUIRE(failed.size() == 1);
        CHECK(failed[0].field("reason") == "full: there is no room");
        const auto journal = it.test.world.events("journal.failed");
        REQUIRE(journal.size() == 1);
        CHECK(journal[0].field("journal.fault") == "full");
      },
      wanted);
}

TEST_CASE("183e what concerns one id alone is no failure of the journal") {
  restarted([](Scene& it) { add_all(it, {1}); },
            [](Scene& it) {
              it.store().fail_at([](MemoryStore::Point point) -> std::optional<StoreError> {
                if (point != MemoryStore::Point::read) return {};
                return StoreError{Fault::damaged, "event 1 is not as it was written", true};
              });
              it.perform(it.ledger(), [](Ledger&, Context&) { throw Error("again"); });
              CHECK(it.test.world.events("actor.recovery-failed").size() == 1);
              CHECK(it.test.world.events("journal.failed").empty());
              CHECK_FALSE(it.test.world.system().event_journal()->report().fault);
            });
}

// ---- 183f ---------------------------------------------------------------------------------------

TEST_CASE("183f an event that cannot be stored as it is is logged, and the actor goes on") {
  under_seeds([](Scene& it) {
    it.entries();
    it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
      ledger.persist(ctx, Loan{ctx.self()}, [] { Ledger::record("never"); });
      ledger.persist(ctx, Added{4}, [] { Ledger::record("stored"); });
    });
    CHECK(it.entries() ==
          "rejected ledger.Loan/1: it has a ref, which means nothing to the next process: store "
          "the path, stored");
    const auto rejected = it.test.world.events("actor.persist-rejected");
    REQUIRE(rejected.size() == 1);
    CHECK(rejected[0].field("message.type") == "ledger.Loan/1");
    CHECK(it.store().events("/user/ledger").size() == 1);
    it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
      ledger.persist(ctx, Loan{}, [] { Ledger::record("an empty ref"); });
    });
    CHECK(it.entries() == "an empty ref");
  });
}

TEST_CASE("183f an event of more than 16 MiB is rejected") {
  under_seeds([](Scene& it) {
    it.entries();
    it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
      ledger.persist(ctx, AddedBefore{std::string((std::size_t{16} << 20) + 1, 'x')});
      Ledger::record("goes on");
    });
    const std::string entries = it.entries();
    CHECK(entries.starts_with("rejected ledger.Added/1: it has 16777"));
    CHECK(entries.ends_with("goes on"));
    CHECK(it.store().events("/user/ledger").empty());
  });
}

// ---- 183g ---------------------------------------------------------------------------------------

namespace {

void check_recovery_failed(Scene& it, std::string_view reason) {
  CHECK_FALSE(it.test.world.is_alive(it.ledger().value));
  const auto failed = it.test.world.events("actor.recovery-failed");
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].field("reason") == reason);
  CHECK(it.test.world.events("actor.failed").empty());
  CHECK(it.test.world.events("actor.restarted").empty());
}

}  // namespace

TEST_CASE("183g a journal that cannot be read stops the actor") {
  for (const auto point : {MemoryStore::Point::look, MemoryStore::Point::read}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Wanted wanted;
      wanted.store = store_of({{1, "ledger.Added/2", added(5)}});
      wanted.store->fail_at([&](MemoryStore::Point at) -> std::optional<StoreError> {
        if (at != point) return {};
        return StoreError{Fault::damaged, "a page is not as it was written"};
      });
      run_process(seed, wanted, [](Scene& it) {
        check_recovery_failed(it, "damaged: a page is not as it was written");
        CHECK(it.entries() == "start, stop");
      });
    }
  }
}

TEST_CASE("183g an event of a type that no plugin has any more stops the actor") {
  Wanted wanted;
  wanted.store = store_of({{1, "ledger.Gone/1", added(5)}});
  run_process(1, wanted, [](Scene& it) {
    check_recovery_failed(
        it, "ledger.Gone/1 of number 1: no plugin has a message of that name any more");
  });
}

TEST_CASE("183g an event that is no MessagePack, or has other members, stops the actor") {
  const std::string whole = added(5);
  const std::string added_before_as_number =
      packed("amount", [](actord_writer& writer) { writer.integer(&writer, 40); });
  Wanted wanted;
  wanted.store = store_of({{1, "ledger.Added/2", whole.substr(0, whole.size() - 1)}});
  run_process(1, wanted, [](Scene& it) {
    check_recovery_failed(it, "ledger.Added/2 of number 1: the content is no MessagePack");
  });
  wanted.store = store_of({{1, "ledger.Added/1", added_before_as_number}});
  run_process(1, wanted, [](Scene& it) {
    const auto failed = it.test.world.events("actor.recovery-failed");
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].field("reason").starts_with("ledger.Added/1 of number 1: "));
  });
}

TEST_CASE("183g an event that is missing stops the actor") {
  Wanted wanted;
  wanted.store = store_of({{1, "ledger.Added/2", added(5)}, {2, "ledger.Added/2", added(5)}});
  wanted.store->forget("/user/ledger", 1);
  run_process(1, wanted, [](Scene& it) {
    check_recovery_failed(it, "event 1 is missing in the journal, 2 is there");
  });
}

TEST_CASE(
    "183g an exception while events are replayed stops the actor, whatever the supervisor says") {
  Wanted wanted;
  wanted.strategy = always(Verdict::restart);
  wanted.prepare = [](Book& book) {
    book.on_apply = [](const Added& added) {
      if (added.n == 2) throw Restarting("two");
    };
  };
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    wanted.store = store_of({{1, "ledger.Added/2", added(1)}, {2, "ledger.Added/2", added(2)}});
    run_process(seed, wanted, [](Scene& it) { check_recovery_failed(it, "two"); });
  }
  wanted.prepare = [](Book& book) {
    book.on_recovered = [](Ledger&, Context&) { throw Restarting("not like this"); };
  };
  wanted.store = nullptr;
  run_process(1, wanted, [](Scene& it) { check_recovery_failed(it, "not like this"); });
}

// ---- 183h ---------------------------------------------------------------------------------------

TEST_CASE("183h a journal that does not answer in time stops the actor") {
  Wanted wanted;
  wanted.journal.recovery_timeout_ns = 5'000 * ms;
  under_seeds(
      [](Scene& it) {
        it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
          for (int i = 0; i < 1500; ++i) ledger.persist(ctx, Added{1});
        });
        it.entries();
        // The second answer does not come: the journal is held when the first events are read.
        int reads = 0;
        it.store().fail_at([&](MemoryStore::Point point) -> std::optional<StoreError> {
          if (point == MemoryStore::Point::read && ++reads == 1) it.hold_journal();
          return {};
        });
        it.perform(it.ledger(), [](Ledger&, Context&) { throw Error("again"); });
        it.test.world.advance(4'900ms);
        CHECK(it.test.is_alive(it.ledger()));
        it.test.world.advance(200ms);
        const auto failed = it.test.world.events("actor.recovery-failed");
        REQUIRE(failed.size() == 1);
        CHECK(failed[0].field("reason") ==
              "the journal has not answered within 5 s, after event 1024 of 1500");
        CHECK_FALSE(it.test.is_alive(it.ledger()));
        it.store().fail_at({});
        it.release_journal();
      },
      wanted);
}

// ---- 183i ---------------------------------------------------------------------------------------

TEST_CASE("183i a restart replays the events, also those that were on their way to the journal") {
  under_seeds([](Scene& it) {
    it.entries();
    it.hold_journal();
    it.queue(it.ledger(), [](Ledger& ledger, Context& ctx) {
      ledger.persist_async(ctx, Added{5}, [] { Ledger::record("of the first incarnation"); });
    });
    it.queue(it.ledger(), [](Ledger&, Context&) { throw Error("again"); });
    it.test.world.run();
    it.release_journal();
    it.test.world.run();
    CHECK(it.entries() == "stop, start, recovered 5");
    add_all(it, {1});
    CHECK(it.entries() == "add 1, total 6");
  });
}

// ---- 183l ---------------------------------------------------------------------------------------

TEST_CASE("183l only so many actors recover at once, and the others do not time out meanwhile") {
  Wanted wanted;
  wanted.ledgers = {};
  for (int i = 0; i < 10; ++i) wanted.ledgers.push_back("l" + std::to_string(i));
  wanted.journal.recovering_max = 2;
  wanted.journal.small_recovery_bytes = 0;
  wanted.journal.recovery_timeout_ns = 1'000 * ms;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    wanted.store = std::make_shared<MemoryStore>();
    run_process(seed, wanted, [](Scene& it) {
      for (int i = 0; i < 10; ++i) it.add(it.ledger("l" + std::to_string(i)), i);
      it.test.world.run();
    });
    std::size_t most = 0;
    wanted.prepare = [&](Book& book) { book.on_start = {}; };
    run_process(seed, wanted, [&](Scene& it) {
      it.test.world.run();
      for (int i = 0; i < 10; ++i) CHECK(it.count("recovered " + std::to_string(i)) == 1);
      const system::JournalReport report = it.test.world.system().event_journal()->report();
      CHECK(report.recovering == 0);
      CHECK(report.to_recover == 0);
      CHECK(report.writers == 10);
      CHECK(report.replayed == 10);
      most = report.recovering_most;
    });
    CHECK(most == 2);
  }
}

TEST_CASE("183l an actor that has nothing to read leaves its turn to the next") {
  Wanted wanted;
  wanted.ledgers = {"a", "b", "c", "d", "e"};
  wanted.journal.recovering_max = 1;
  wanted.journal.small_recovery_bytes = 0;
  restarted(
      [](Scene& it) {
        for (const char* const name : {"a", "c", "e"}) it.add(it.ledger(name), 1);
        it.test.world.run();
      },
      [](Scene& it) {
        CHECK(it.count("recovered 1") == 3);
        CHECK(it.count("recovered 0") == 2);
      },
      wanted);
}

// ---- 183m ---------------------------------------------------------------------------------------

TEST_CASE("183m two actors have one persistence id: the second one is stopped") {
  Wanted wanted;
  wanted.ledgers = {"ledger", "second"};
  wanted.prepare = [](Book& book) {
    book.on_start = [](Ledger&, Context& ctx) { Ledger::persistence_id(ctx, "shared"); };
  };
  under_seeds(
      [](Scene& it) {
        const auto failed = it.test.world.events("actor.recovery-failed");
        REQUIRE(failed.size() == 1);
        CHECK(failed[0].field("actor.path") == "/user/second");
        CHECK(failed[0].field("reason") ==
              "gap: the persistence id \"shared\" is that of the actor /user/ledger, too");
        add_all(it, {3});
        CHECK(it.stored("shared") == 3);
      },
      wanted);
}

TEST_CASE("183m when an actor has ended, another one may have its id, and its events") {
  under_seeds([](Scene& it) {
    add_all(it, {3});
    it.test.stop(it.ledger());
    it.test.world.run();
    it.book.on_start = [](Ledger&, Context& ctx) { Ledger::persistence_id(ctx, "/user/ledger"); };
    it.entries();
    it.test.world.spawn<Ledger>("heir");
    CHECK(it.entries() == "start, recovered 3");
  });
}

}  // namespace actord::conformance::persistence
