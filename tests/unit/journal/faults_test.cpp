// SPDX-License-Identifier: Apache-2.0
//
// Disks that fail at every step of a workload, and losses of power at random ones. The number of
// losses is ACTORD_JOURNAL_CYCLES, which ./dev prove sets; without it a disk fails at every fifth
// write only.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "journal/sqlite_store.hpp"
#include "support/scratch_folder.hpp"
#include "unit/journal/faulty_disk.hpp"
#include "unit/journal/journal_model.hpp"

namespace actord::journal {
namespace {

using Kind = FaultyDisk::Kind;

struct Rig {
  support::ScratchFolder scratch;
  FaultyDisk disk;
  StoreOptions options{.folder = scratch.at("journal"),
                       .reserve_bytes = 4096,
                       .log_pages = 60,
                       .index_every = 20,
                       .vfs = disk.name()};

  std::string side_file() const { return options.folder + "/journal.acknowledged"; }
};

std::uint64_t cycles() {
  const char* wanted = std::getenv("ACTORD_JOURNAL_CYCLES");
  return wanted == nullptr ? 60 : std::strtoull(wanted, nullptr, 10);
}

// One run of a workload whose disk fails at the nth call. False: it has not come so far.
bool run_with_fault(Kind kind, std::uint64_t nth, bool lasts, bool is_power_lost) {
  Rig rig;
  JournalModel model(nth * 7 + static_cast<std::uint64_t>(kind));
  auto store = std::make_unique<SqliteStore>(rig.options);
  for (int i = 0; i < 5; ++i) REQUIRE(model.write(*store));
  rig.disk.fail(kind, nth, lasts);
  for (int i = 0; i < 12 && !rig.disk.has_failed(); ++i) model.write(*store);
  if (!rig.disk.has_failed()) (void)store->tidy_up();
  const bool has_failed = rig.disk.has_failed();
  if (lasts && has_failed) {
    // While it lasts, nothing is acknowledged and nothing crashes.
    for (int i = 0; i < 3; ++i) CHECK_FALSE(model.write(*store));
  }
  rig.disk.heal();
  CAPTURE(nth);
  CHECK(model.check(*store) == "");
  // Few groups, so that in many runs no checkpoint follows that would mend what is wrong.
  for (std::uint64_t i = 0; i < 1 + nth % 7; ++i) CHECK(model.write(*store));
  CHECK(model.check(*store) == "");
  if (is_power_lost) {
    rig.disk.fail(Kind::write, 1, true);  // the end must write nothing
    store.reset();
    rig.disk.cut_power(model.random());
  }
  store = std::make_unique<SqliteStore>(rig.options);
  CHECK(model.check(*store) == "");
  Verification verification;
  for (auto more = store->verify(verification, 50); more && *more;)
    more = store->verify(verification, 50);
  CHECK(verification.damage_count() == 0);
  return has_failed;
}

void run_at_every_step(Kind kind, bool lasts, bool is_power_lost) {
  const bool is_every = kind == Kind::sync || std::getenv("ACTORD_JOURNAL_CYCLES") != nullptr;
  std::uint64_t nth = 1;
  while (run_with_fault(kind, nth, lasts, is_power_lost)) nth += is_every ? 1 : 5;
  CHECK(nth > 10);
}

}  // namespace

TEST_CASE("a write that fails once at any step loses nothing that was acknowledged") {
  run_at_every_step(Kind::write, false, false);
}

TEST_CASE("a write that fails at any step, and then a loss of power") {
  run_at_every_step(Kind::write, false, true);
}

TEST_CASE("a disk that fails from any step on until it is mended") {
  run_at_every_step(Kind::write, true, true);
}

TEST_CASE("what a failed sync has dropped is written anew before anything is acknowledged") {
  run_at_every_step(Kind::sync, false, true);
}

TEST_CASE("a disk that is full from any step on, until there is room") {
  run_at_every_step(Kind::full, true, true);
}

TEST_CASE("a disk that is full for one call only") { run_at_every_step(Kind::full, false, true); }

TEST_CASE("a disk that becomes read-only at any step, and is mended") {
  run_at_every_step(Kind::read_only, true, true);
}

TEST_CASE("a loss of power at random loses nothing that was acknowledged") {
  std::uint64_t seed = std::getenv("ACTORD_JOURNAL_SEED") == nullptr
                           ? 1
                           : std::strtoull(std::getenv("ACTORD_JOURNAL_SEED"), nullptr, 10);
  CAPTURE(seed);
  std::unique_ptr<Rig> rig;
  std::optional<JournalModel> model;
  std::uint64_t events = 0;
  for (std::uint64_t cycle = 0; cycle < cycles(); ++cycle) {
    CAPTURE(cycle);
    if (cycle % 50 == 0) {
      events += model ? model->acknowledged() : 0;
      rig = std::make_unique<Rig>();
      model.emplace(seed + cycle);
    }
    auto store = std::make_unique<SqliteStore>(rig->options);
    const auto opened = store->open();
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().what));
    REQUIRE(model->check(*store) == "");
    for (std::uint64_t i = model->random().below(12); i > 0; --i) REQUIRE(model->write(*store));
    if (model->random().chance(0.2)) REQUIRE(store->tidy_up());
    // The last group may come to the middle of its writes.
    rig->disk.fail(model->random().chance(0.5) ? Kind::write : Kind::sync,
                   1 + model->random().below(12), true);
    for (int i = 0; i < 4 && !rig->disk.has_failed(); ++i) model->write(*store);
    store.reset();
    rig->disk.cut_power(model->random());
    // The file beside it is never synced.
    if (model->random().chance(0.3)) std::ofstream(rig->side_file(), std::ios::binary) << "torn";
  }
  MESSAGE(cycles() << " losses of power, " << events + model->acknowledged() << " events");
}

}  // namespace actord::journal
