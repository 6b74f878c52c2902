// SPDX-License-Identifier: Apache-2.0
#include "settings/persistence_reader.hpp"

#include "schema/known_words.hpp"
#include "settings/state_directory.hpp"

namespace actord::settings {

namespace {

void read_journal(ObjectReader block, Settings& settings, const ReadOptions& options) {
  PersistenceSettings& persistence = settings.persistence;
  if (const hocon::Value path = block.take("path")) {
    if (auto text = read_path(block.findings(), path, settings, options))
      persistence.folder = *std::move(text);
  } else if (!settings.state_directory.empty()) {
    persistence.folder = settings.state_directory + "/journal";
  }
  block.read_word("durability", persistence.durability, schema::durability_words);
  ObjectReader batch = block.section("batch");
  batch.read("events", persistence.batch_events);
  batch.read_size("bytes", persistence.batch_bytes);
  batch.finish();
  block.finish({{"dir", "path"}});
}

}  // namespace

void read_persistence(ObjectReader block, Settings& settings, const ReadOptions& options) {
  PersistenceSettings& persistence = settings.persistence;
  read_journal(block.section("journal"), settings, options);
  ObjectReader recovery = block.section("recovery");
  recovery.read("concurrent", persistence.recoveries);
  if (is_off(recovery.take("timeout"))) persistence.recovery_timeout_ns = 0;
  else recovery.read_duration("timeout", persistence.recovery_timeout_ns);
  recovery.finish({{"max-concurrent-recoveries", "concurrent"}});
  ObjectReader snapshots = block.section("snapshots");
  if (is_off(snapshots.take("every"))) persistence.snapshot_every = 0;
  else snapshots.read("every", persistence.snapshot_every);
  snapshots.read("keep", persistence.snapshots_kept);
  snapshots.read("delete-events", persistence.deletes_events);
  snapshots.finish();
  block.finish({{"snapshot-store", "snapshots"}});
}

}  // namespace actord::settings
