// SPDX-License-Identifier: Apache-2.0
//
// What is due when. Timers lie in slots of a wheel of seven levels, a slot of the lowest being 16
// us wide and one of each other level 256 times as wide as below it; as time comes near, a slot's
// content moves down, at last into a heap by exact deadline. To insert and to cancel is O(1), and
// there is an allocation only when there are more timers than ever before.
//
// Not here: who sleeps until then, and what a timer means to whom it concerns.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/assert.hpp"
#include "base/biased_lock.hpp"
#include "base/sync.hpp"

namespace actord::sched {

/// No delay is longer, so that adding one to a time of the clock cannot overflow: some 70 years.
inline constexpr std::int64_t longest_delay_ns = INT64_MAX / 4;

/// `owner` and `token` are the business of whoever set it.
struct Timer {
  std::int64_t due_ns;
  std::uint64_t owner;
  std::uint64_t token;
};

class TimerWheel;

/// Of a timer in a wheel. Safe to use when the timer has long fired: it is known by a generation.
struct TimerHandle {
  static constexpr int node_bits = 24, generation_bits = 28;  // that are used

  TimerWheel* wheel = nullptr;  // null: none
  std::uint32_t node = 0;
  std::uint32_t generation = 0;
};

/// Timers fire in order of their deadlines, equal ones in order of insertion, never early; of those
/// that two threads fire at once each thread's in that order.
///
/// A wheel is its owner's, a thread that alone inserts and for which the lock is nearly free; other
/// threads may cancel, and fire what is due when the owner cannot. Or it is shared: then every
/// thread does what owners do.
class TimerWheel {
 public:
  static constexpr std::int64_t never = INT64_MAX;

  /// An owner's. It takes memory with its first timer.
  TimerWheel() = default;
  /// Shared. `on_earlier` is called, outside the lock, when a new timer is due before all others.
  explicit TimerWheel(std::function<void()> on_earlier)
      : is_shared_(true), on_earlier_(std::move(on_earlier)) {}
  TimerWheel(const TimerWheel&) = delete;
  TimerWheel& operator=(const TimerWheel&) = delete;

  std::uint16_t id = 0;  // for whoever tells wheels apart

  // ---- the owner ----

  /// Throws std::bad_alloc for want of memory, or beyond some 16 million timers.
  TimerHandle add(std::int64_t due_ns, std::uint64_t owner, std::uint64_t token);
  /// Due `delay_ns` after the next call of fire_due(): for those who do not want to read the clock
  /// and nearly always cancel before; then both together take some 5 ns. Not with a shared wheel.
  TimerHandle add_after(std::int64_t delay_ns, std::uint64_t owner, std::uint64_t token);
  /// False if it has fired or was cancelled before, or is another wheel's.
  bool cancel(TimerHandle handle);
  /// Calls on_timer(const Timer&) for each that is due, outside the lock: it may insert and cancel.
  /// Answers next_due().
  template <class OnTimer>
  std::int64_t fire_due(std::int64_t now_ns, OnTimer&& on_timer) {
    return fire_as(Side::owner, now_ns, on_timer);
  }

  // ---- other threads ----

  /// If is_wanted(timer), for those who were given the handle by somebody they do not trust.
  std::optional<Timer> cancel_as_other(TimerHandle handle,
                                       bool (*is_wanted)(const Timer&) = nullptr);
  /// fire_due() in batches of 8, as the lock is dear: whoever cancels one of a batch meanwhile, the
  /// owner too, finds that it has fired.
  template <class OnTimer>
  std::int64_t fire_due_as_other(std::int64_t now_ns, OnTimer&& on_timer) {
    return fire_as(Side::other, now_ns, on_timer);
  }
  /// Removes every timer that is_wanted(const Timer&) names, and answers them in no order.
  std::vector<Timer> extract_as_other(const std::function<bool(const Timer&)>& is_wanted);

  // ---- any thread, glances without the lock ----

  /// Nothing is due before; what was cancelled may still count. `never` if there is nothing, and
  /// the beginning of time if fire_due() has to be called to know.
  std::int64_t next_due() const noexcept {
    return has_fresh_.load(base::relaxed) ? INT64_MIN : next_due_.load(base::relaxed);
  }
  std::size_t size() const noexcept { return size_.load(base::relaxed); }

  // ---- any thread, for those who drive time step by step ----

  /// Exactly, except for what add_after() was not told yet.
  std::int64_t earliest_due();

 private:
  static constexpr int tick_bits = 14, level_bits = 8, levels = 7;
  static constexpr std::uint32_t slots_per_level = 1u << level_bits;
  static constexpr std::uint32_t none = 0;

  enum class Side { owner, other };

  struct Node {
    std::int64_t due_ns;  // in the fresh list: the delay
    std::uint64_t owner;
    std::uint64_t token;
    std::uint32_t next, previous;
    std::uint32_t generation;
    std::uint16_t place;  // the number of its slot, or one of these
  };
  static constexpr std::uint16_t is_fresh = 0xfff0, is_near = 0xfff1,
                                 is_cancelled = 0xfff2,  // and still in the heap
      is_free = 0xfff3, nowhere = 0xffff;
  struct Slot {
    std::uint32_t first, last;  // in order of insertion; none, none: empty
    std::int64_t bound_ns;      // nothing here is due before
  };
  struct Slots {
    std::uint32_t levels_occupied = 0;  // a bit per level
    std::array<std::uint64_t, levels * slots_per_level / 64> occupied{};
    std::array<Slot, levels * slots_per_level> all;  // by number: level, then place in it
  };
  struct Near {
    std::int64_t due_ns;
    std::uint64_t number;  // of arrival in the heap; who was inserted first arrives first
    std::uint32_t node;
    bool operator<(const Near& other) const noexcept {  // of a heap whose greatest is on top
      return due_ns != other.due_ns ? due_ns > other.due_ns : number > other.number;
    }
  };

  class Lock {
   public:
    Lock(TimerWheel& wheel, Side side) noexcept;
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    TimerWheel& wheel_;
    const Side side_;
  };

  // The lock costs the others a system call and the owner an interrupt. Who loses its core with a
  // batch at hand makes all of it late.
  static constexpr std::size_t batch_of_others = 8;

  template <class OnTimer>
  std::int64_t fire_as(Side side, std::int64_t now_ns, OnTimer& on_timer) {
    std::array<Timer, batch_of_others> due;
    const std::size_t room = side == Side::owner ? 1 : due.size();
    std::size_t n = room;
    while (n == room) {
      n = pop_due(side, now_ns, {due.data(), room});
      for (std::size_t i = 0; i < n; ++i) on_timer(static_cast<const Timer&>(due[i]));
    }
    return next_due();
  }
  void lock_as_other() noexcept;
  bool cancel_placed(TimerHandle handle);
  std::size_t pop_due(Side side, std::int64_t now_ns, std::span<Timer> timers);

  // With the lock held.
  bool is_current(TimerHandle handle) const noexcept {
    return handle.node < carved_ && nodes_[handle.node].generation == handle.generation &&
           nodes_[handle.node].place < is_cancelled;
  }
  std::uint32_t take_node() {
    if (free_ != none) return std::exchange(free_, nodes_[free_].next);
    if (carved_ >= capacity_) [[unlikely]]
      grow();
    return carved_++;
  }
  void grow();
  void free_node(std::uint32_t index) noexcept {
    nodes_[index].place = is_free;
    nodes_[index].next = std::exchange(free_, index);
  }
  void count(std::size_t more) noexcept {
    size_.store(size_.load(base::relaxed) + more, base::relaxed);
  }
  // Its handle means nothing any more.
  static void invalidate(Node& node) noexcept {
    node.generation = (node.generation + 1) % (1u << TimerHandle::generation_bits);
  }
  void append(Slot& to, std::uint32_t index) noexcept {
    nodes_[index].next = none;
    nodes_[index].previous = to.last;
    (to.last != none ? nodes_[to.last].next : to.first) = index;
    to.last = index;
  }
  void unlink(Slot& from, const Node& node) noexcept {
    (node.previous != none ? nodes_[node.previous].next : from.first) = node.next;
    (node.next != none ? nodes_[node.next].previous : from.last) = node.previous;
  }
  void remove_fresh(std::uint32_t index) noexcept {
    Node& node = nodes_[index];
    unlink(fresh_, node);
    if (fresh_.first == none) has_fresh_.store(false, base::relaxed);
    invalidate(node);
    free_node(index);
    count(-std::size_t{1});
  }
  bool is_linked(const Slot& in, std::uint32_t index) const noexcept;
  void remove(std::uint32_t index) noexcept;
  void place(std::uint32_t index) noexcept;
  void vacate(std::uint16_t slot) noexcept;
  void drop_cancelled() noexcept;
  void pop_near() noexcept;
  void stamp(std::int64_t now_ns) noexcept;
  void advance(std::int64_t now_ns) noexcept;
  std::uint16_t first_slot() const noexcept;
  std::uint64_t start_of(std::uint16_t slot) const noexcept;
  std::int64_t bound() const noexcept;

  const bool is_shared_ = false;
  base::BiasedLock lock_;
  base::Mutex mutex_;  // of a shared one
  std::function<void()> on_earlier_;

  base::Atomic<std::int64_t> next_due_{never};
  base::Atomic<bool> has_fresh_{false};
  base::Atomic<std::size_t> size_{0};

  std::uint64_t tick_ = 0;  // everything up to its end is in the heap
  std::unique_ptr<Slots> slots_;
  Slot fresh_{};            // whose deadlines are not known yet
  std::vector<Near> near_;  // a heap; with room for all there are
  std::uint64_t last_number_ = 0;

  std::unique_ptr<base::Arena> arena_;
  Node* nodes_ = nullptr;                                  // in the arena
  std::uint32_t free_ = none, carved_ = 1, capacity_ = 0;  // node 0 is never used
};

// What an ask does, in the header.

[[gnu::always_inline]] inline TimerHandle TimerWheel::add_after(std::int64_t delay_ns,
                                                                std::uint64_t owner,
                                                                std::uint64_t token) {
  ACTORD_ASSERT(!is_shared_);  // on_earlier_ would not be called
  const Lock lock(*this, Side::owner);
  const std::uint32_t index = take_node();
  Node& node = nodes_[index];
  node.due_ns = delay_ns;
  node.owner = owner;
  node.token = token;
  node.place = is_fresh;
  append(fresh_, index);
  has_fresh_.store(true, base::relaxed);
  count(1);
  return {this, index, node.generation};
}

inline bool TimerWheel::cancel(TimerHandle handle) {
  if (handle.wheel != this) return false;
  {
    const Lock lock(*this, Side::owner);
    const Node& node = nodes_[handle.node];
    if (node.generation == handle.generation && node.place == is_fresh) [[likely]] {
      remove_fresh(handle.node);
      return true;
    }
  }
  return cancel_placed(handle);
}

inline TimerWheel::Lock::Lock(TimerWheel& wheel, Side side) noexcept : wheel_(wheel), side_(side) {
  if (wheel.is_shared_) [[unlikely]]
    wheel.mutex_.lock();
  else if (side == Side::owner) wheel.lock_.lock();
  else wheel.lock_as_other();
}

inline TimerWheel::Lock::~Lock() {
  if (wheel_.is_shared_) [[unlikely]]
    wheel_.mutex_.unlock();
  else if (side_ == Side::owner) wheel_.lock_.unlock();
  else wheel_.lock_.unlock_as_other();
}

}  // namespace actord::sched
