// SPDX-License-Identifier: Apache-2.0
//
// Random groups for a store, and what has to be there after some were acknowledged and others
// failed.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "persist/store.hpp"

namespace actord::journal {

/// The content that event or snapshot has in every test, so that a reader can check it.
std::string content_of(std::string_view id, std::uint64_t sequence);

/// Checks that an id can be recovered, that its last event is one of `last_min` … `last_max`, and
/// that what is recovered is whole. Returns the last event, and sets `found_snapshot`.
struct Recovered {
  std::uint64_t last = 0, snapshot = 0, first_event = 0, events = 0;
};
/// An empty `wrong` says that it is as it has to be.
Recovered recover(persist::Store& store, const std::string& id, std::string& wrong);

class JournalModel {
 public:
  explicit JournalModel(std::uint64_t seed) : random_(seed) {}

  /// Writes one group. False: it has failed, and look() has to tell what is there.
  bool write(persist::Store& store);
  /// An error, or empty: all that was acknowledged is there, once, and nothing else but what was
  /// tried. Continues with what is there.
  std::string check(persist::Store& store);
  std::uint64_t acknowledged() const;
  base::Random& random() noexcept { return random_; }

 private:
  enum class Kind : std::uint8_t { plain, snapshots, newest_only };
  struct Id {
    Kind kind = Kind::plain;
    std::uint64_t acknowledged = 0, tried = 0;
    std::uint64_t snapshot_acknowledged = 0, snapshot_tried = 0;
  };
  /// A group with the texts that it lends.
  struct Group {
    std::deque<std::string> texts;
    std::deque<std::vector<persist::Entry>> events;
    std::vector<persist::Write> writes;
  };

  void add(Group& group, const std::string& id, Id& state);
  persist::Entry entry(Group& group, const std::string& id, std::uint64_t sequence);

  base::Random random_;
  std::map<std::string, Id> ids_;
};

}  // namespace actord::journal
