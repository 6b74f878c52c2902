// SPDX-License-Identifier: Apache-2.0
//
// Where persistent actors keep what must outlive the process: the events of each actor in their
// order, and snapshots of its state. This is the seam between the runtime and a database: the
// daemon's is daemon/journal, and memory_store.hpp is one for tests and simulations.
//
// Not here: who may write for an id, and when an actor hears of it (system/journal_actor.hpp).
//
// Threads: a store is used by one thread at a time, that of /system/journal.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace actord::persist {

/// An event or a snapshot that is to be written. The texts are lent for the call.
struct Entry {
  /// The place of an event among those of its id, from 1 on, without a gap. A snapshot has that of
  /// the last event that it covers.
  std::uint64_t sequence = 0;
  std::string_view type;     // the name of the message type, with its version
  std::string_view content;  // MessagePack
};

/// The same as it was read.
struct StoredEntry {
  std::uint64_t sequence = 0;
  std::int64_t written_ns = 0;  // since 1970
  std::string type, content;
};

/// What is written for one id. The parts take effect in this order.
struct Write {
  std::string_view id;
  /// The first follows the last event of the id that the store has.
  std::span<const Entry> events;
  std::optional<Entry> snapshot;
  /// Only the last event matters: the ones before it are deleted.
  bool is_newest_only = false;
  /// Events up to that one are deleted, of those that a snapshot covers which was written before
  /// this group; 0: none are.
  std::uint64_t delete_to = 0;
};

/// Why a store could not do what was asked.
enum class Fault : std::uint8_t {
  io,         // the medium has failed; look() tells whether what was to be written is there
  full,       // there is no room; what was to be written is not there
  read_only,  // the medium takes no writes
  damaged,    // what was written before is not as it was written
  gap,        // an event does not follow the last one of its id: there are two writers
};
/// "io", "full", "read-only", "damaged", "gap".
std::string_view name_of(Fault fault) noexcept;

struct StoreError {
  Fault fault = Fault::io;
  std::string what;  // one sentence: what, where, and how to mend it
  /// Only the id of the call is concerned; the store serves all others.
  bool concerns_id = false;
};

template <class T>
using StoreResult = base::Result<T, StoreError>;

/// Where the recovery of an id begins.
struct Beginning {
  std::uint64_t last_sequence = 0;      // of its events, also of deleted ones; 0: it has none
  std::optional<StoredEntry> snapshot;  // the newest one that can be read
  std::string passed_over = {};         // why a newer one cannot; empty: there is none
  std::uint64_t dropped_to = 0;         // events up to that one were dropped; 0: none were

  /// The event behind which the recovery goes on with events.
  std::uint64_t begins_behind() const noexcept {
    return snapshot ? snapshot->sequence : dropped_to;
  }
};

/// What there is of an id, for those who administer a store.
struct IdFacts {
  std::string id;
  std::uint64_t first_sequence = 1;  // of the events that are there; behind the last: none are
  std::uint64_t last_sequence = 0;
  std::uint64_t bytes = 0;  // content of the events
  std::uint64_t snapshots = 0;
  std::int64_t written_ns = 0;  // the last event; since 1970
  std::uint64_t covered = 0;    // by the newest snapshot
};

/// How a store is, for those who administer it.
struct StoreStatus {
  std::string path;
  std::uint64_t bytes = 0, log_bytes = 0;  // of the database and of its write-ahead log
  std::int64_t last_row = 0;
  std::uint64_t reserve_bytes = 0;  // that are kept for a full disk; 0: there is no room for them
  bool is_full = false;
  std::optional<StoreError> error;  // of the last call
};

/// What can be changed while a store is in use.
struct StoreTuning {
  bool survives_power_loss = true;  // what is acknowledged; false: only the end of the process
  std::size_t keep_snapshots = 2;   // of each id
  bool operator==(const StoreTuning&) const = default;
};

/// How much one read returns at most. The first entry is returned however large it is.
struct ReadLimit {
  std::size_t events = 1024;
  std::size_t bytes = std::size_t{1} << 20;
};

/// What there was of an id, and whether it is all deleted.
enum class DropStep : std::uint8_t { nothing, more, done };

class Store {
 public:
  Store() = default;
  virtual ~Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Writes all of the group, or nothing. Once it returns success, the group outlives what the
  /// store's durability promises. After a failure the next call tries to open the store again; it
  /// never relies on data of the failed one. Ids of a group may occur more than once.
  virtual StoreResult<void> write(std::span<const Write> group, std::int64_t now_ns) = 0;
  virtual StoreResult<Beginning> look(std::string_view id) = 0;
  /// The events of the id from that one on, in their order; empty after the last one. Checks that
  /// none is missing and that each is as it was written.
  virtual StoreResult<std::vector<StoredEntry>> read(std::string_view id, std::uint64_t from,
                                                     ReadLimit limit) = 0;

  /// Ids behind `after` in the order of their bytes, `limit` at most.
  virtual StoreResult<std::vector<IdFacts>> list(std::string_view after, std::size_t limit) = 0;
  /// An entry of each type that is among the newest events and snapshots, of which `limit` are
  /// looked at. What the types have become can be tried on them.
  virtual StoreResult<std::vector<StoredEntry>> samples(std::size_t limit) = 0;
  /// One step of deleting everything of an id. When that is done, it may begin anew, with the
  /// number behind its last event: what others know of it by its numbers stays true. Before, it is
  /// recovered from a snapshot that covers what is deleted, or not at all.
  virtual StoreResult<DropStep> drop(std::string_view id) = 0;
  /// For a store that has nothing to do: one step of what it has put off until then. False: that
  /// was the last.
  virtual StoreResult<bool> tidy_up() { return false; }
  virtual StoreStatus status() const { return {}; }
  /// From the next group on.
  virtual StoreResult<void> tune(const StoreTuning& /*wanted*/) { return {}; }
};

}  // namespace actord::persist
