// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

TEST_SUITE_BEGIN("settings/persistence_reader");

TEST_CASE("without a word about persistence the journal is in the state directory, and synced") {
  const PersistenceSettings p = read("actord.state-dir = /srv/state").persistence;
  CHECK(p.folder == "/srv/state/journal");
  CHECK(p.durability == schema::Durability::power);
  CHECK(p.batch_events == 2048);
  CHECK(p.batch_bytes == 1 << 20);
  CHECK(p.recoveries == 64);
  CHECK(p.recovery_timeout_ns == 30'000'000'000);
  CHECK(p.snapshot_every == 1000);
  CHECK(p.snapshots_kept == 2);
  CHECK_FALSE(p.deletes_events);
}

TEST_CASE("every key of persistence is read") {
  const PersistenceSettings p = read(R"(actord.persistence {
    journal { path = /srv/a/../journal/, durability = process, batch { events = 1, bytes = 64k } }
    recovery { concurrent = 3, timeout = off }
    snapshots { every = off, keep = 5, delete-events = on }
  })")
                                    .persistence;
  CHECK(p.folder == "/srv/journal");
  CHECK(p.durability == schema::Durability::process);
  CHECK(p.batch_events == 1);
  CHECK(p.batch_bytes == 65'536);
  CHECK(p.recoveries == 3);
  CHECK(p.recovery_timeout_ns == 0);
  CHECK(p.snapshot_every == 0);
  CHECK(p.snapshots_kept == 5);
  CHECK(p.deletes_events);
}

TEST_CASE("what is wrong about persistence is an error where it stands, with help") {
  const auto wrong = [](const char* text) {
    return errors(std::string{"actord.persistence."} + text);
  };
  CHECK_HAS(wrong("journal.durability = powr"), "did you mean \"power\"?");
  CHECK_HAS(wrong("journal.durability = powr"), "test.conf:1:");
  CHECK_HAS(wrong("journal.path = \"\""), "this is not a path");
  CHECK_HAS(wrong("journal.dir = /srv"), "path");
  CHECK_HAS(wrong("journal.batch.events = 0"), "1 to 65536");
  CHECK_HAS(wrong("journal.batch.bytes = 1k"), "4 KiB");
  CHECK_HAS(wrong("recovery.concurrent = 0"), "1 to 10000");
  CHECK_HAS(wrong("recovery.timeout = 1 ms"), "1 s");
  CHECK_HAS(wrong("recovery.max-concurrent-recoveries = 7"), "concurrent");
  CHECK_HAS(wrong("snapshots.every = 0"), "1");
  CHECK_HAS(wrong("snapshots.keeps = 2"), "did you mean \"keep\"?");
}

TEST_SUITE_END();
