// SPDX-License-Identifier: Apache-2.0
//
// The snapshots of each id, the newest few of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "journal/database.hpp"
#include "journal/event_table.hpp"
#include "journal/histories.hpp"

namespace actord::journal {

class SnapshotTable {
 public:
  SnapshotTable(Database& database, TypeNames& types);

  /// Writes it as row `row`, instead of one with the same sequence number, and deletes the oldest
  /// if there are more than `keep`. Throws Failure, as do all below.
  void insert(const History& history, const persist::Entry& snapshot, std::int64_t now_ns,
              std::int64_t row, std::size_t keep);

  struct Found {
    std::optional<persist::StoredEntry> snapshot;  // the newest that can be read
    std::string passed_over;                       // why a newer one was not taken
  };
  Found newest(const History& history);

  std::uint64_t count(const History& history);
  void drop(const History& history);
  /// Checks those behind row `after`, which moves on, `limit` at most. Returns how many there were,
  /// and adds a sentence about each that is damaged.
  std::uint64_t check(Histories& histories, std::int64_t& after, std::size_t limit,
                      std::vector<std::string>& damages);

 private:
  Database& database_;
  TypeNames& types_;
  Statement insert_, replace_, prune_, newest_, count_, drop_, all_;
};

}  // namespace actord::journal
