// SPDX-License-Identifier: Apache-2.0
//
// What is due when, for whoever drives time: a thread with the real clock or the simulator with its
// own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>

#include "base/sync.hpp"

namespace actord::sched {

/// No delay is longer, so that adding one to a time of the clock cannot overflow: some 70 years.
inline constexpr std::int64_t longest_delay_ns = INT64_MAX / 4;

/// Entries fire in order of their due time, equal ones in order of insertion, never early. Any
/// thread.
class TimerQueue {
 public:
  struct Entry {
    std::int64_t due_ns;
    std::uint64_t number;  // of insertion; with due_ns the entry's identity
    std::uint64_t owner;
    std::uint64_t token;
    bool operator<(const Entry& other) const noexcept {
      return due_ns != other.due_ns ? due_ns < other.due_ns : number < other.number;
    }
  };
  struct Handle {
    std::int64_t due_ns = 0;
    std::uint64_t number = 0;  // 0: none
  };

  /// `on_earlier` is called, outside the lock, when a new entry is due before all others.
  explicit TimerQueue(std::function<void()> on_earlier) : on_earlier_(std::move(on_earlier)) {}

  Handle add(std::int64_t due_ns, std::uint64_t owner, std::uint64_t token);
  /// False if it has fired or was cancelled before.
  bool cancel(Handle handle);
  std::optional<std::int64_t> next_due() const;
  /// Removes and answers the first entry that is due at `now_ns`.
  std::optional<Entry> pop_due(std::int64_t now_ns);
  std::size_t size() const;

 private:
  std::function<void()> on_earlier_;
  mutable base::Mutex mutex_;
  std::set<Entry> entries_;
  std::uint64_t last_number_ = 0;
};

}  // namespace actord::sched
