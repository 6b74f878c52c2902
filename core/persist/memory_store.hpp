// SPDX-License-Identifier: Apache-2.0
//
// A store in memory, for tests of persistent actors and for the simulator. A fault point says what
// goes wrong, so that every step at which a real medium can fail is a step at which this one does.
#pragma once

#include <functional>
#include <map>

#include "persist/store.hpp"

namespace actord::persist {

class MemoryStore final : public Store {
 public:
  /// Where a call asks whether it fails.
  enum class Point : std::uint8_t {
    write,   // nothing of the group has been written
    commit,  // the group has been written, and the caller does not hear that
    look,    // also list()
    read,
  };
  using FaultAt = std::function<std::optional<StoreError>(Point point)>;

  /// `keep`: how many snapshots of an id are kept.
  explicit MemoryStore(std::size_t keep = 2) : keep_(keep) {}

  /// What goes wrong from now on; null: nothing.
  void fail_at(FaultAt fault_at) { fault_at_ = std::move(fault_at); }

  StoreResult<void> write(std::span<const Write> group, std::int64_t now_ns) override;
  StoreResult<Beginning> look(std::string_view id) override;
  StoreResult<std::vector<StoredEntry>> read(std::string_view id, std::uint64_t from,
                                             ReadLimit limit) override;
  StoreResult<std::vector<IdFacts>> list(std::string_view after, std::size_t limit) override;
  StoreResult<std::vector<StoredEntry>> samples(std::size_t limit) override;
  StoreResult<DropStep> drop(std::string_view id) override;

  /// All events of the id that there are.
  std::vector<StoredEntry> events(std::string_view id) const;
  std::vector<StoredEntry> snapshots(std::string_view id) const;
  /// The event is lost, as by a mistake of the store.
  void forget(std::string_view id, std::uint64_t sequence);

 private:
  struct History {
    std::uint64_t last_sequence = 0, dropped_to = 0;
    std::vector<StoredEntry> events = {}, snapshots = {};  // oldest first

    /// Nothing has come since all was dropped.
    bool is_dropped() const noexcept { return dropped_to != 0 && dropped_to == last_sequence; }
  };
  using Histories = std::map<std::string, History, std::less<>>;

  std::optional<StoreError> fault_at(Point point) const {
    return fault_at_ ? fault_at_(point) : std::nullopt;
  }
  void write(History& history, const Write& write, std::int64_t now_ns) const;

  std::size_t keep_;
  FaultAt fault_at_;
  Histories histories_;
};

}  // namespace actord::persist
