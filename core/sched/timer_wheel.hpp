// SPDX-License-Identifier: Apache-2.0
//
// A hierarchical timer wheel of seven levels. A slot of the lowest level is 16 us wide, one of each
// other level 256 times as wide as one below it. When time reaches a slot, its timers move to lower
// levels, at last into a heap ordered by exact deadline. To insert and to cancel takes O(1). The
// wheel allocates only when it holds more timers than ever before.
//
// Not here: the threads that sleep until a timer is due, and what a timer means.
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

/// The longest delay, some 70 years: a time of the clock plus a delay cannot overflow.
inline constexpr std::int64_t longest_delay_ns = INT64_MAX / 4;

/// `owner` and `token` mean something only to the code that added the timer.
struct Timer {
  std::int64_t due_ns;
  std::uint64_t owner;
  std::uint64_t token;
};

class TimerWheel;

/// Names a timer in a wheel. Safe to use after the timer has fired, since the generation of its
/// node differs then.
struct TimerHandle {
  static constexpr int node_bits = 24, generation_bits = 28;  // used bits of the numbers below

  TimerWheel* wheel = nullptr;  // null: no timer
  std::uint32_t node = 0;
  std::uint32_t generation = 0;
};

/// Timers fire in order of their deadlines, equal ones in order of insertion, and never early. If
/// two threads fire timers at once, each of them keeps this order for its own.
///
/// A wheel has an owner or is shared. Only the owner thread inserts, and for it the lock is nearly
/// free. Other threads may cancel, and may fire due timers if the owner is late. In a shared wheel
/// every thread may call the functions of the owner.
class TimerWheel {
 public:
  static constexpr std::int64_t never = INT64_MAX;

  /// A wheel with an owner. It takes memory with its first timer.
  TimerWheel() = default;
  /// A shared wheel. `on_earlier` is called, outside the lock, by the thread that adds a timer that
  /// is due before all others.
  explicit TimerWheel(std::function<void()> on_earlier)
      : is_shared_(true), on_earlier_(std::move(on_earlier)) {}
  TimerWheel(const TimerWheel&) = delete;
  TimerWheel& operator=(const TimerWheel&) = delete;

  std::uint16_t id = 0;  // number of the wheel for the layer above; not used here

  // ---- the owner ----

  /// Throws std::bad_alloc if there is no memory, or beyond some 16 million timers.
  TimerHandle add(std::int64_t due_ns, std::uint64_t owner, std::uint64_t token);
  /// Adds a timer whose delay counts from the next call of fire_due(). Cheap for timers that are
  /// nearly always cancelled before: it does not read the clock, and both calls together take some
  /// 5 ns. Not for a shared wheel. Throws as add() does.
  TimerHandle add_after(std::int64_t delay_ns, std::uint64_t owner, std::uint64_t token);
  /// False if the timer has fired, was cancelled before, or is in another wheel.
  bool cancel(TimerHandle handle);
  /// Calls on_timer(const Timer&) for each due timer, outside the lock: on_timer may insert and
  /// cancel. Returns next_due().
  template <class OnTimer>
  std::int64_t fire_due(std::int64_t now_ns, OnTimer&& on_timer) {
    return fire_as(Side::owner, now_ns, on_timer);
  }

  // ---- other threads ----

  /// Cancels and returns the timer if is_wanted(timer) holds or is null; for handles from a plugin,
  /// which may name any timer. Empty: nothing was cancelled.
  std::optional<Timer> cancel_as_other(TimerHandle handle,
                                       bool (*is_wanted)(const Timer&) = nullptr);
  /// fire_due() in batches of 8, since the lock costs other threads much. A timer of the current
  /// batch can no longer be cancelled, not even by the owner.
  template <class OnTimer>
  std::int64_t fire_due_as_other(std::int64_t now_ns, OnTimer&& on_timer) {
    return fire_as(Side::other, now_ns, on_timer);
  }
  /// Removes and returns, in no order, every timer for which is_wanted(const Timer&) holds.
  std::vector<Timer> extract_as_other(const std::function<bool(const Timer&)>& is_wanted);

  // ---- any thread, without the lock ----

  /// A time before which no timer is due; a cancelled timer may still count. `never`: there is no
  /// timer. INT64_MIN: there are timers of add_after() that get a deadline by the next fire_due().
  std::int64_t next_due() const noexcept {
    return has_fresh_.load(base::relaxed) ? INT64_MIN : next_due_.load(base::relaxed);
  }
  std::size_t size() const noexcept { return size_.load(base::relaxed); }

  // ---- any thread, for virtual time ----

  /// The exact first deadline, `never` if there is none. Does not count timers of add_after() that
  /// have no deadline yet.
  std::int64_t earliest_due();

 private:
  static constexpr int tick_bits = 14, level_bits = 8, levels = 7;
  static constexpr std::uint32_t slots_per_level = 1u << level_bits;
  static constexpr std::uint32_t none = 0;

  enum class Side { owner, other };

  struct Node {
    std::int64_t due_ns;  // the delay, while the node is in `fresh_`
    std::uint64_t owner;
    std::uint64_t token;
    std::uint32_t next, previous;
    std::uint32_t generation;
    std::uint16_t place;  // the number of the node's slot, or one of the values below
  };
  // Values of Node::place; `no_slot` is a result of first_slot() only.
  static constexpr std::uint16_t in_fresh_list = 0xfff0, in_heap = 0xfff1,
                                 in_heap_cancelled = 0xfff2, in_free_list = 0xfff3,
                                 no_slot = 0xffff;
  struct Slot {
    std::uint32_t first, last;  // list in order of insertion; none, none: empty
    std::int64_t bound_ns;      // no timer of the slot is due before
  };
  struct Slots {
    std::uint32_t levels_occupied = 0;  // a bit per level
    std::array<std::uint64_t, levels * slots_per_level / 64> occupied{};
    std::array<Slot, levels * slots_per_level> all;  // by level, then by digit
  };
  // An entry of the heap.
  struct HeapEntry {
    std::int64_t due_ns;
    std::uint64_t number;  // counts entries; orders timers of equal due_ns as they were added
    std::uint32_t node;
    bool operator<(
        const HeapEntry& other) const noexcept {  // std::push_heap has the greatest on top
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

  // Larger batches share the cost of the lock: a system call for the other thread, an interrupt for
  // the owner. But a thread that loses its core during a batch makes all its timers late.
  static constexpr std::size_t batch_max = 8;

  template <class OnTimer>
  std::int64_t fire_as(Side side, std::int64_t now_ns, OnTimer& on_timer) {
    std::array<Timer, batch_max> due;
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

  // The functions from here on are called with the lock held.
  bool is_current(TimerHandle handle) const noexcept {
    return handle.node < carved_ && nodes_[handle.node].generation == handle.generation &&
           nodes_[handle.node].place < in_heap_cancelled;
  }
  std::uint32_t take_node() {
    if (free_ != none) return std::exchange(free_, nodes_[free_].next);
    if (carved_ >= capacity_) [[unlikely]]
      grow();
    return carved_++;
  }
  void grow();
  void free_node(std::uint32_t index) noexcept {
    nodes_[index].place = in_free_list;
    nodes_[index].next = std::exchange(free_, index);
  }
  void add_to_size(std::size_t more) noexcept {
    size_.store(size_.load(base::relaxed) + more, base::relaxed);
  }
  // From here on is_current() rejects every handle of the node.
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
    add_to_size(-std::size_t{1});
  }
  bool is_linked(const Slot& in, std::uint32_t index) const noexcept;
  void remove(std::uint32_t index) noexcept;
  void place(std::uint32_t index) noexcept;
  void mark_empty(std::uint16_t slot) noexcept;
  void drop_cancelled() noexcept;
  void pop_from_heap() noexcept;
  void set_deadlines(std::int64_t now_ns) noexcept;
  void advance(std::int64_t now_ns) noexcept;
  std::uint16_t first_slot() const noexcept;
  std::uint64_t start_of(std::uint16_t slot) const noexcept;
  std::int64_t bound() const noexcept;

  const bool is_shared_ = false;
  base::BiasedLock lock_;
  base::Mutex mutex_;  // instead of `lock_` in a shared wheel
  std::function<void()> on_earlier_;

  base::Atomic<std::int64_t> next_due_{never};
  base::Atomic<bool> has_fresh_{false};
  base::Atomic<std::size_t> size_{0};

  std::uint64_t tick_ = 0;  // all placed timers up to the end of this tick are in the heap
  std::unique_ptr<Slots> slots_;
  Slot fresh_{};                 // timers of add_after() that have no deadline yet
  std::vector<HeapEntry> heap_;  // the heap; has room for all nodes
  std::uint64_t last_number_ = 0;

  std::unique_ptr<base::Arena> arena_;
  Node* nodes_ = nullptr;                                  // in the arena
  std::uint32_t free_ = none, carved_ = 1, capacity_ = 0;  // node 0 is never used
};

// Inline, since every ask adds a timer and cancels it.

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
  node.place = in_fresh_list;
  append(fresh_, index);
  has_fresh_.store(true, base::relaxed);
  add_to_size(1);
  return {this, index, node.generation};
}

inline bool TimerWheel::cancel(TimerHandle handle) {
  if (handle.wheel != this) return false;
  {
    const Lock lock(*this, Side::owner);
    const Node& node = nodes_[handle.node];
    if (node.generation == handle.generation && node.place == in_fresh_list) [[likely]] {
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
