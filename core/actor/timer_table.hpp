// SPDX-License-Identifier: Apache-2.0
//
// The keyed timers of an actor, found by the text key that the actor gave, or by the number that
// comes back with a tick.
//
// A std::unordered_map of the keys would do, but then it takes 768 instructions instead of 552 to
// set a timer and cancel it where an actor has no other, and the first timer 272 bytes instead of
// 176.
#pragma once

#include <bit>
#include <functional>
#include <string>
#include <string_view>

#include "actor/slot_table.hpp"
#include "message/envelope.hpp"
#include "sched/timer_wheel.hpp"

namespace actord::actor {

struct ActorTimer {
  std::string key;
  std::int64_t period_ns;  // 0: not periodic
  std::int64_t due_ns;
  bool is_fixed_rate;
  bool is_counted;             // in the usage of the plugin
  message::Envelope* message;  // sent when the timer fires; if periodic, a copy is
  sched::TimerHandle handle;
};

class TimerTable {
 public:
  static constexpr std::uint64_t none = 0;

  /// A key with its hash, which is computed once for named() and add().
  struct HashedKey {
    std::string_view text;
    std::size_t hash = std::hash<std::string_view>{}(text);
  };

  bool is_empty() const noexcept { return timers_.is_empty(); }
  /// Adds a timer with a key that the table does not have, and returns its number. `hash`: the
  /// key's.
  std::uint64_t add(ActorTimer timer, std::size_t hash) {
    if (timers_.size() >= buckets_.size()) grow();
    std::uint64_t& first = buckets_[hash % buckets_.size()];
    return first = timers_.add({std::move(timer), hash, first});
  }
  /// The number of the timer with this key, or `none`.
  std::uint64_t named(const HashedKey& key) noexcept {
    if (is_empty()) return none;
    std::uint64_t at = buckets_[key.hash % buckets_.size()];
    while (at != none) {
      const Entry& entry = *timers_.find(at);
      if (entry.hash == key.hash && entry.timer.key == key.text) return at;
      at = entry.next;
    }
    return none;
  }
  /// Null if the table has no timer with this number, or has it no more.
  ActorTimer* find(std::uint64_t number) noexcept {
    Entry* const entry = timers_.find(number);
    return entry != nullptr ? &entry->timer : nullptr;
  }
  /// Removes a timer and returns it. find() must find the number.
  ActorTimer take(std::uint64_t number) noexcept {
    Entry entry = timers_.take(number);
    std::uint64_t* at = &buckets_[entry.hash % buckets_.size()];
    while (*at != number) at = &timers_.find(*at)->next;
    *at = entry.next;
    return std::move(entry.timer);
  }
  /// Calls visit(const ActorTimer&) for each timer, in any order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    timers_.for_each([&](const Entry& entry) { visit(entry.timer); });
  }
  /// Removes all timers: calls visit(ActorTimer) for each.
  template <class Visit>
  void take_all(Visit&& visit) {
    timers_.take_all([&](std::uint64_t, Entry entry) { visit(std::move(entry.timer)); });
    buckets_.assign(buckets_.size(), none);
  }

 private:
  struct Entry {
    ActorTimer timer;
    std::size_t hash;
    std::uint64_t next;  // number of the next timer in the same bucket
  };

  // Doubles the number of buckets.
  void grow() {
    std::vector<std::uint64_t> larger(std::max<std::size_t>(buckets_.size() * 2, 4), none);
    for (const std::uint64_t first : buckets_) {
      for (std::uint64_t at = first; at != none;) {
        Entry& entry = *timers_.find(at);
        std::uint64_t& bucket = larger[entry.hash % larger.size()];
        const std::uint64_t next = std::exchange(entry.next, bucket);
        bucket = std::exchange(at, next);
      }
    }
    buckets_ = std::move(larger);
  }

  SlotTable<Entry> timers_;
  std::vector<std::uint64_t> buckets_;  // number of the first timer of each bucket, or `none`
};

}  // namespace actord::actor
