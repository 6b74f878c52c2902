// SPDX-License-Identifier: Apache-2.0
//
// Persistent actors: item 183, what follows an event: in which order, and after a failure.
#include "persistence_support.hpp"

namespace actord::conformance::persistence {

namespace {

using Verdict = actor::Strategy::Otherwise;

}  // namespace

// ---- 183d ---------------------------------------------------------------------------------------

TEST_CASE("183d persist_async lets the mailbox go on, and keeps the order of what follows") {
  under_seeds([](Scene& it) {
    it.entries();
    it.hold_journal();
    for (int i = 1; i <= 3; ++i)
      it.queue(it.ledger(), [i](Ledger& ledger, Context& ctx) {
        Ledger::record("handles " + std::to_string(i));
        ledger.persist_async(ctx, Added{i}, [&ledger, i] {
          Ledger::record("stored " + std::to_string(i) + " of " +
                         std::to_string(ledger.state().total));
        });
      });
    it.test.world.run();
    CHECK(it.entries() == "handles 1, handles 2, handles 3");
    it.release_journal();
    it.test.world.run();
    CHECK(it.entries() == "stored 1 of 1, stored 2 of 3, stored 3 of 6");
  });
}

TEST_CASE("183d what is deferred runs behind the events before it, at once if there are none") {
  under_seeds([](Scene& it) {
    it.entries();
    it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
      ledger.defer(ctx, [] { Ledger::record("first"); });
      ledger.persist_async(ctx, Added{1}, [] { Ledger::record("stored"); });
      ledger.defer(ctx, [] { Ledger::record("second"); });
      Ledger::record("handled");
    });
    CHECK(it.entries() == "first, handled, stored, second");
  });
}

TEST_CASE("183d an action that is deferred after a handler that has failed runs at once") {
  under_seeds(
      [](Scene& it) {
        it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
          ledger.persist(ctx, Added{5}, [] { Ledger::record("never"); });
          ledger.defer(ctx, [] { Ledger::record("never"); });
          throw Error("after all");
        });
        it.entries();
        it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
          ledger.defer(ctx, [] { Ledger::record("deferred"); });
          Ledger::record("the handler ends");
        });
        CHECK(it.entries() == "deferred, the handler ends");
      },
      {.strategy = always(Verdict::resume)});
}

TEST_CASE("183d what follows an event may persist the next one") {
  under_seeds([](Scene& it) {
    it.entries();
    it.queue(it.ledger(), [](Ledger& ledger, Context& ctx) {
      ledger.persist(ctx, Added{1}, [&ledger](Context& c) {
        ledger.persist(c, Added{10}, [] { Ledger::record("second"); });
        Ledger::record("first");
      });
    });
    it.add(it.ledger(), 100);
    it.test.world.run();
    CHECK(it.entries() == "first, second, add 100, total 111");
  });
}

TEST_CASE("183d events that follow events come after those of the handler, then the next message") {
  const auto persist_nested = [](Ledger& ledger, Context& ctx, bool is_async) {
    for (const char* const name : {"1", "2"}) {
      const auto outer = [&ledger, name](Context& c) {
        Ledger::record(std::string{"outer "} + name);
        ledger.persist(c, Added{1}, [name] { Ledger::record(std::string{"inner "} + name); });
      };
      if (is_async) ledger.persist_async(ctx, Added{1}, outer);
      else ledger.persist(ctx, Added{1}, outer);
    }
  };
  for (const bool is_async : {false, true}) {
    under_seeds([&](Scene& it) {
      it.entries();
      it.perform(it.ledger(),
                 [&](Ledger& ledger, Context& ctx) { persist_nested(ledger, ctx, is_async); });
      CHECK(it.entries() == "outer 1, outer 2, inner 1, inner 2");
      // persist() holds the mailbox, also where it follows persist_async().
      it.queue(it.ledger(), [&](Ledger& ledger, Context& ctx) {
        ledger.persist_async(ctx, Added{1}, [&](Context& c) {
          it.add(Ref{c.self()}, 1);
          ledger.persist(c, Added{1}, [] { Ledger::record("before the message"); });
        });
      });
      it.test.world.run();
      CHECK(it.entries() == "before the message, add 1, total 7");
    });
  }
}

TEST_CASE("183d events of both kinds keep the order of the handler") {
  under_seeds([](Scene& it) {
    it.entries();
    for (const char* const command : {"a", "b"}) {
      it.queue(it.ledger(), [command](Ledger& ledger, Context& ctx) {
        const auto note = [command](const char* what) {
          return [=] { Ledger::record(std::string{command} + what); };
        };
        note("")();
        ledger.persist(ctx, Added{1}, note("1"));
        ledger.persist_async(ctx, Added{1}, note("2"));
        ledger.persist(ctx, Added{1}, note("3"));
        ledger.defer(ctx, note("4"));
      });
    }
    it.test.world.run();
    CHECK(it.entries() == "a, a1, a2, a3, a4, b, b1, b2, b3, b4");
  });
}

TEST_CASE("183d what follows an event of persist_async, or is deferred, has the sender of then") {
  under_seeds([](Scene& it) {
    std::vector<Ref> senders;
    const std::vector<Ref> askers{it.test.spawn("one"), it.test.spawn("two")};
    it.hold_journal();
    for (const Ref asker : askers) {
      it.book.acts.push_back([&](Ledger& ledger, Context& ctx) {
        ledger.persist_async(ctx, Added{1}, [&](Context& c) { senders.push_back(c.sender()); });
        ledger.defer(ctx, [&](Context& c) { senders.push_back(c.sender()); });
      });
      it.test.world.tell(it.ledger().value, Do{it.book.acts.size() - 1}, asker.value);
    }
    it.test.world.run();
    it.release_journal();
    it.test.world.run();
    CHECK(senders == std::vector<Ref>{askers[0], askers[0], askers[1], askers[1]});
  });
}

// ---- 183j ---------------------------------------------------------------------------------------

TEST_CASE("183j after a failure in what follows an event, Resume goes on with the next event") {
  under_seeds(
      [](Scene& it) {
        it.entries();
        it.queue(it.ledger(), [](Ledger& ledger, Context& ctx) {
          for (int i = 1; i <= 3; ++i)
            ledger.persist(ctx, Added{i}, [i] {
              Ledger::record("+" + std::to_string(i));
              if (i == 2) throw Error("two");
            });
        });
        it.add(it.ledger(), 10);
        it.test.world.run();
        CHECK(it.entries() == "+1, +2, +3, add 10, total 16");
        const auto failed = it.test.world.events("actor.failed");
        REQUIRE(failed.size() == 1);
        CHECK(failed[0].field("failure.phase") == "persisted");
      },
      {.strategy = always(Verdict::resume)});
}

TEST_CASE("183j after a failure in what follows an event, Restart replays all that is stored") {
  under_seeds([](Scene& it) {
    it.entries();
    it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
      for (int i = 1; i <= 3; ++i)
        ledger.persist(ctx, Added{i}, [i] {
          if (i == 2) throw Error("two");
          Ledger::record("+" + std::to_string(i));
        });
    });
    CHECK(it.entries() == "+1, stop, start, recovered 6");
  });
}

TEST_CASE("183j what is deferred behind an event runs, though what follows the event has failed") {
  under_seeds(
      [](Scene& it) {
        it.entries();
        it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
          ledger.persist(ctx, Added{1}, [] { throw Error("one"); });
          ledger.defer(ctx, [] {
            Ledger::record("deferred");
            throw Error("deferred");
          });
          ledger.defer(ctx, [] { Ledger::record("and again"); });
        });
        CHECK(it.entries() == "deferred, and again");
        CHECK(it.test.world.events("actor.failed").size() == 2);
        add_all(it, {2});
        CHECK(it.entries() == "add 2, total 3");
      },
      {.strategy = always(Verdict::resume)});
}

TEST_CASE(
    "183j what is deferred behind a failure that is not thrown persists its event all the same") {
  under_seeds(
      [](Scene& it) {
        it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
          ledger.persist(ctx, Added{1}, [](Context& c) { c.fail<Error>("one"); });
          ledger.defer(ctx, [&](Context& c) { ledger.persist(c, Added{10}); });
        });
        CHECK(it.test.world.events("actor.failed").size() == 1);
        CHECK(it.stored() == 11);
      },
      {.strategy = always(Verdict::resume)});
}

TEST_CASE(
    "183j what follows one event has persisted is stored, though what follows the next fails") {
  under_seeds(
      [](Scene& it) {
        it.perform(it.ledger(), [](Ledger& ledger, Context& ctx) {
          ledger.persist(ctx, Added{1}, [&](Context& c) { ledger.persist(c, Added{10}); });
          ledger.persist(ctx, Added{2}, [&](Context& c) {
            ledger.persist(c, Added{100});
            throw Error("two");
          });
        });
        CHECK(it.stored() == 13);
        it.perform(it.ledger(),
                   [](Ledger& ledger, Context&) { CHECK(ledger.state().total == 13); });
      },
      {.strategy = always(Verdict::resume)});
}

TEST_CASE(
    "183j what follows the events of a later message comes after the rest of the earlier one") {
  under_seeds(
      [](Scene& it) {
        it.entries();
        it.hold_journal();
        it.queue(it.ledger(), [](Ledger& ledger, Context& ctx) {
          ledger.persist_async(ctx, Added{1}, [] {
            Ledger::record("+1");
            throw Error("one");
          });
          ledger.persist_async(ctx, Added{2}, [] { Ledger::record("+2"); });
        });
        it.queue(it.ledger(), [](Ledger& ledger, Context& ctx) {
          ledger.persist_async(ctx, Added{3}, [&](Context& c) {
            Ledger::record("+3 at " + std::to_string(ledger.sequence(c)));
          });
        });
        it.test.world.run();
        it.release_journal();
        it.test.world.run();
        CHECK(it.entries() == "+1, +2, +3 at 3");
      },
      {.strategy = always(Verdict::resume)});
}

// ---- 183k ---------------------------------------------------------------------------------------

TEST_CASE("183k while the actor is suspended, it is not told of stored events") {
  under_seeds([](Scene& it) {
    it.entries();
    it.hold_journal();
    it.add(it.ledger(), 5);
    it.test.world.run();
    it.test.suspend(it.ledger());
    it.release_journal();
    it.test.world.run();
    CHECK(it.entries() == "add 5");
    CHECK(it.stored() == 5);
    it.test.resume(it.ledger());
    it.test.world.run();
    CHECK(it.entries() == "total 5");
  });
}

}  // namespace actord::conformance::persistence
