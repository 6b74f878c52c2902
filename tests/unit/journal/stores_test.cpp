// SPDX-License-Identifier: Apache-2.0
//
// The store in memory and the journal are one to those who use them.
#include <doctest/doctest.h>

#include "journal/sqlite_store.hpp"
#include "persist/memory_store.hpp"
#include "support/scratch_folder.hpp"
#include "unit/journal/journal_model.hpp"

namespace actord::journal {
namespace {

// The ids with their events, as text.
std::string all_of(persist::Store& store) {
  std::string text, after;
  for (;;) {
    const auto page = store.list(after, 2);
    REQUIRE(page.ok());
    for (const persist::IdFacts& each : *page) {
      text += each.id + ' ' + std::to_string(each.first_sequence) + ".." +
              std::to_string(each.last_sequence) + ' ' + std::to_string(each.bytes) + ' ' +
              std::to_string(each.snapshots) + ':';
      const auto events = store.read(each.id, 1, {100'000, std::size_t{1} << 30});
      REQUIRE(events.ok());
      for (const persist::StoredEntry& event : *events) {
        CHECK(event.content == content_of(each.id, event.sequence));
        text += ' ' + std::to_string(event.sequence) + event.type;
      }
      const auto beginning = store.look(each.id);
      REQUIRE(beginning.ok());
      if (beginning->snapshot)
        text += " snapshot " + std::to_string(beginning->snapshot->sequence) +
                beginning->snapshot->type;
      text += '\n';
    }
    if (page->size() < 2) return text;
    after = page->back().id;
  }
}

}  // namespace

TEST_CASE("a check of everything finds no damage in what is written and deleted meanwhile") {
  const support::ScratchFolder scratch;
  SqliteStore store({.folder = scratch.at("journal"),
                     .survives_power_loss = false,
                     .reserve_bytes = 4096,
                     .index_every = 30});
  JournalModel model(7);
  for (int i = 0; i < 40; ++i) REQUIRE(model.write(store));
  for (int round = 0; round < 10; ++round) {
    Verification verification;
    for (auto more = store.verify(verification, 4); more && *more;) {
      REQUIRE(model.write(store));
      more = store.verify(verification, 4);
    }
    CHECK(verification.damages() == std::vector<std::string>{});
    CHECK(verification.progress() == 1);
  }
}

TEST_CASE("after the same groups both stores have the same") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    const support::ScratchFolder scratch;
    persist::MemoryStore memory;
    SqliteStore journal({.folder = scratch.at("journal"),
                         .survives_power_loss = false,
                         .reserve_bytes = 4096,
                         .index_every = 30});
    JournalModel to_memory(seed), to_journal(seed);
    for (int i = 0; i < 60; ++i) {
      REQUIRE(to_memory.write(memory));
      REQUIRE(to_journal.write(journal));
    }
    CHECK(to_memory.check(memory) == "");
    CHECK(to_journal.check(journal) == "");
    CHECK(all_of(memory) == all_of(journal));
    CHECK(*memory.drop("/user/bb") == *journal.drop("/user/bb"));
    CHECK(*memory.drop("/user/none") == *journal.drop("/user/none"));
    CHECK(all_of(memory) == all_of(journal));
  }
}

}  // namespace actord::journal
