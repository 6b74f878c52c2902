// SPDX-License-Identifier: Apache-2.0
//
// What an operator does with the journal of a system that runs, beside what its actors persist.
#include "persistence_support.hpp"

namespace actord::conformance::persistence {
namespace {

/// A task of so many steps, each of which notes how many events are stored.
class Looker final : public system::JournalTask {
 public:
  explicit Looker(std::size_t steps) : left_(steps) {}

  bool step(const Desk& desk) override {
    const auto events = desk.store.read("/user/ledger", 1, {});
    REQUIRE(events.ok());
    seen.push_back(events->size());
    writer = desk.writer_of("/user/ledger");
    return --left_ != 0;
  }
  void fail(const StoreError& error) override {
    ++failures;
    why = error.what;
  }

  std::vector<std::size_t> seen;
  actor::Ref writer = actor::nobody;
  int failures = 0;
  std::string why;

 private:
  std::size_t left_;
};

}  // namespace

TEST_CASE("183t work by hand goes on in steps, and what is persisted meanwhile is stored") {
  under_seeds([](Scene& it) {
    add_all(it, {1});
    const auto looker = std::make_shared<Looker>(200);
    it.test.world.system().event_journal()->perform(looker);
    for (int i = 0; i < 5; ++i) it.add(it.ledger(), 1);
    it.test.world.run();
    CHECK(it.stored() == 6);
    REQUIRE(looker->seen.size() == 200);
    CHECK(looker->seen.front() < 6);
    CHECK(looker->seen.back() == 6);
    CHECK(looker->failures == 0);
  });
}

TEST_CASE("183t two works take turns") {
  under_seeds([](Scene& it) {
    const auto many = std::make_shared<Looker>(1'000), few = std::make_shared<Looker>(3);
    system::Journal& journal = *it.test.world.system().event_journal();
    journal.perform(many);
    journal.perform(few);
    std::size_t before = 0;
    class Last final : public system::JournalTask {
     public:
      Last(const Looker& others, std::size_t& seen) : others_(others), seen_(seen) {}
      bool step(const Desk&) override { return seen_ = others_.seen.size(), false; }
      void fail(const StoreError&) override {}

     private:
      const Looker& others_;
      std::size_t& seen_;
    };
    journal.perform(std::make_shared<Last>(*many, before));
    it.test.world.run();
    CHECK(few->seen.size() == 3);
    CHECK(many->seen.size() == 1'000);
    CHECK(before < 1'000);
  });
}

TEST_CASE("183t work by hand knows which actor has an id, while that actor lives") {
  under_seeds([](Scene& it) {
    add_all(it, {1});
    const Ref ledger = it.ledger();
    system::Journal& journal = *it.test.world.system().event_journal();
    const auto now = std::make_shared<Looker>(1), later = std::make_shared<Looker>(1);
    journal.perform(now);
    it.test.world.run();
    CHECK(now->writer == ledger.value);
    it.test.stop(ledger);
    it.test.world.run();
    journal.perform(later);
    it.test.world.run();
    CHECK(later->writer == actor::nobody);
  });
}

TEST_CASE("183t work by hand opens the journal of a system without persistent actors") {
  Wanted wanted;
  wanted.ledgers = {};
  under_seeds(
      [](Scene& it) {
        const auto looker = std::make_shared<Looker>(2);
        it.test.world.system().event_journal()->perform(looker);
        it.test.world.run();
        CHECK(looker->seen.size() == 2);
        CHECK(it.test.world.system().event_journal()->report().is_open);
      },
      wanted);
}

TEST_CASE("183t work by hand that is under way when the system ends is told so, once") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto endless = std::make_shared<Looker>(SIZE_MAX), late = std::make_shared<Looker>(1);
    run_process(seed, {}, [&](Scene& it) {
      add_all(it, {1});
      it.test.world.system().event_journal()->perform(endless);
    });
    CHECK(endless->failures == 1);
    CHECK(endless->why == "the system is shutting down");
  }
}

}  // namespace actord::conformance::persistence
