// SPDX-License-Identifier: Apache-2.0
//
// Counts the life-cycle records that come one after the other, so that one line can stand for
// them: "12 actors started below /user/crawler".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "log/log_record.hpp"

namespace actord::sinks {

/// Records of actors that started, stopped or, for the failure of another actor, restarted.
class LifeCycleFold {
 public:
  /// Whether the record is one that add() takes. An actor's own failure is none.
  static bool takes(const log::Record& record) noexcept;

  /// Records of one event, and of one failure if there is one.
  struct Group {
    log::Level level = log::Level::info;
    std::string event;
    std::string collateral_of;  // id of the failure of another actor, or empty
    std::uint64_t count = 0;
    std::string path;          // of one actor; of several: the actor that all of them are below
    std::int64_t wall_ns = 0;  // time of the last record
    std::string line;          // for the user: the line of a single record
  };

  /// The group of the record, valid until the next call.
  Group& add(const log::Record& record, std::int64_t wall_ns);
  const std::vector<Group>& groups() const noexcept { return groups_; }
  bool is_empty() const noexcept { return groups_.empty(); }
  /// When the first of the records was emitted. Not if it is empty.
  std::int64_t first_stamp_ns() const noexcept { return first_stamp_ns_; }
  void clear() noexcept { groups_.clear(); }

 private:
  std::vector<Group> groups_;  // in the order of their first records
  std::int64_t first_stamp_ns_ = 0;
};

/// The sentence for a group of several actors.
std::string sentence_of(const LifeCycleFold::Group& group);

}  // namespace actord::sinks
