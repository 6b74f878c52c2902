// SPDX-License-Identifier: Apache-2.0
//
// The limit of what waits behind full rings. All emitters of a hub have one Backlog together, so
// that the memory of the log has one limit.
//
// It has a part for each kind of record, which no other kind can use. Beyond half of a part each
// actor may add an eighth of it, until less than half waits again: so one actor cannot take the
// room of the others. Records that are refused are counted, by event and actor.
//
// Not here: the records themselves, which each emitter keeps in order (emitter.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/sync.hpp"
#include "log/log_record.hpp"

namespace actord::log {

/// How full the part of the backlog for the lines of failures is.
enum class Congestion : std::uint8_t {
  none,  // at most half
  some,  // at most three quarters: a failure should be written only if its kind is rare
  full   // the rest is for further lines of failures of which the first line is written
};

/// Any thread. Nothing here is called while the rings have room, but congestion().
class Backlog {
 public:
  enum class Part : std::uint8_t { daemon, failures, events, authors, chatter };
  static constexpr std::size_t part_count = 5;
  using Sizes = std::array<std::uint32_t, part_count>;  // bytes of each part

  /// What must be known of a record to find its part and its actor.
  struct Claim {
    Level level;
    Class kind;
    std::string_view event;
    std::string_view actor;  // path; empty: the record is about no actor
  };

  /// Records of one kind that were refused. `of`: the event for records of actord, "warnings" for
  /// authors' warnings and errors, "chatter" for the rest of theirs. `actor`: the path, if they
  /// were refused for the actor's share.
  struct Loss {
    std::string of;
    std::string actor;
    std::uint64_t count;
  };

  explicit Backlog(std::size_t bytes) noexcept;
  ~Backlog();

  static Part part_of(const Claim& claim) noexcept;
  /// The bytes that may wait in a part.
  std::size_t limit(Part part) const noexcept;

  /// Takes room for a record of `bytes`. False: the record is counted as lost.
  bool admit(const Claim& claim, std::size_t bytes) noexcept;
  /// Gives room back.
  void release(const Sizes& sizes) noexcept;
  /// Counts the loss of a record that was admitted, for want of memory, and gives its room back.
  void drop(const Claim& claim, std::size_t bytes) noexcept;

  /// Some 1 ns.
  Congestion congestion() const noexcept {
    const std::size_t waiting =
        waiting_[static_cast<std::size_t>(Part::failures)].load(base::relaxed);
    if (waiting <= bytes_ / 8) [[likely]]  // half of the part
      return Congestion::none;
    return waiting <= bytes_ / 16 * 3 ? Congestion::some : Congestion::full;
  }

  std::uint64_t lost() const noexcept { return lost_.load(base::relaxed); }
  std::uint64_t dropped_chatter() const noexcept { return dropped_chatter_.load(base::relaxed); }
  std::uint64_t spilled() const noexcept { return spilled_.load(base::relaxed); }

  /// Whether take_losses() would return something.
  bool has_losses() const noexcept { return has_losses_.load(base::relaxed); }
  /// The losses since the last call, ordered by `of` and `actor`.
  std::vector<Loss> take_losses();

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Shares = std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>>;
  using Reason = std::pair<std::string_view, std::string_view>;  // `of` and `actor` of a loss
  struct ByReason {
    using is_transparent = void;
    static Reason view(const auto& key) noexcept { return {key.first, key.second}; }
    bool operator()(const auto& a, const auto& b) const noexcept { return view(a) < view(b); }
  };

  // Charges the actor. False: its share is used up.
  bool charge(Part part, std::string_view actor, std::size_t bytes) noexcept;
  void end_shares(Part part) noexcept;
  void count_loss(const Claim& claim, Part part, std::string_view actor) noexcept;

  const std::size_t bytes_;
  std::array<base::Atomic<std::size_t>, part_count> waiting_{};
  // Whether `shares_` of a part has entries, read without the lock to save taking it.
  std::array<base::Atomic<bool>, part_count> has_shares_{};
  base::Atomic<std::uint64_t> lost_{0}, dropped_chatter_{0}, spilled_{0};
  base::Atomic<bool> has_losses_{false};

  base::Mutex mutex_;  // guards the two tables
  std::array<Shares, part_count> shares_;
  std::map<std::pair<std::string, std::string>, std::uint64_t, ByReason> losses_;
};

/// Whether the backlog keeps a part free for events of that name: what the daemon itself, its
/// configuration, its operators and its supervisors have to say, and the log about its losses.
bool has_daemon_part(std::string_view event) noexcept;

}  // namespace actord::log
