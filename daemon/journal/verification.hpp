// SPDX-License-Identifier: Apache-2.0
//
// A check of everything that a journal keeps, in steps, so that groups are written between them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "journal/session.hpp"

namespace actord::journal {

class Verification {
 public:
  static constexpr std::size_t damages_max = 100;  // that are told; all are counted

  /// Reads `rows` more, or the snapshots, or a page of ids. False: that was the last step. Throws
  /// Failure.
  bool step(Session& session, std::size_t rows);

  bool has_begun() const noexcept { return stage_ != Stage::begin; }
  /// Something is wrong that only the caller can see. One sentence.
  void damage(std::string what);

  std::uint64_t events() const noexcept { return events_; }
  std::uint64_t snapshots() const noexcept { return snapshots_; }
  /// Between 0 and 1, of the events.
  double progress() const noexcept;
  std::uint64_t damage_count() const noexcept { return damage_count_; }
  /// One sentence each.
  const std::vector<std::string>& damages() const noexcept { return damages_; }

 private:
  enum class Stage : std::uint8_t { begin, events, snapshots, ids, end };

  void read_events(Session& session, std::size_t rows);
  void check(Session& session, const EventTable::Row& row);
  void check_ids(Session& session, std::size_t count);

  Stage stage_ = Stage::begin;
  std::int64_t row_ = 0, last_row_ = 0, snapshot_row_ = 0;
  std::unordered_map<std::int64_t, std::uint64_t> next_;  // sequence by the number of the id
  std::string id_;                                        // the last one that was checked
  std::uint64_t events_ = 0, snapshots_ = 0, damage_count_ = 0;
  std::vector<std::string> damages_;
};

}  // namespace actord::journal
