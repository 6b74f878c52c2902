// SPDX-License-Identifier: Apache-2.0
#include "sched/timer_wheel.hpp"

#include "base/clock.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace actord::sched {

namespace {

std::uint64_t tick_of(std::int64_t due_ns, int tick_bits) noexcept {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(due_ns, 0)) >> tick_bits;
}

}  // namespace

void TimerWheel::lock_as_other() noexcept {
  while (!lock_.try_lock_as_other()) base::yield_core();
}

// ---- inserting and cancelling -------------------------------------------------------------------

TimerHandle TimerWheel::add(std::int64_t due_ns, std::uint64_t owner, std::uint64_t token) {
  TimerHandle handle{this, none, 0};
  bool is_first = false;
  {
    const Lock lock(*this, Side::owner);
    handle.node = take_node();
    Node& node = nodes_[handle.node];
    handle.generation = node.generation;
    node.due_ns = due_ns;
    node.owner = owner;
    node.token = token;
    place(handle.node);
    add_to_size(1);
    is_first = due_ns < next_due_.load(base::relaxed);
    if (is_first) next_due_.store(due_ns, base::relaxed);
  }
  if (is_first && on_earlier_) on_earlier_();
  return handle;
}

bool TimerWheel::cancel_placed(TimerHandle handle) {
  const Lock lock(*this, Side::owner);
  if (!is_current(handle)) return false;
  remove(handle.node);
  return true;
}

std::optional<Timer> TimerWheel::cancel_as_other(TimerHandle handle,
                                                 bool (*is_wanted)(const Timer&)) {
  const Lock lock(*this, Side::other);
  // The handle may be made from a number that a plugin kept, so it may hold anything, also node 0.
  if (handle.node == none || !is_current(handle)) return {};
  const Node& node = nodes_[handle.node];
  const Timer timer{node.due_ns, node.owner, node.token};
  if (is_wanted != nullptr && !is_wanted(timer)) return {};
  remove(handle.node);
  return timer;
}

std::vector<Timer> TimerWheel::extract_as_other(
    const std::function<bool(const Timer&)>& is_wanted) {
  std::vector<Timer> found;
  const Lock lock(*this, Side::other);
  for (std::uint32_t index = 1; index < carved_; ++index) {
    const Node& node = nodes_[index];
    const Timer timer{node.due_ns, node.owner, node.token};
    if (node.place >= in_heap_cancelled || !is_wanted(timer)) continue;
    found.push_back(timer);
    remove(index);
  }
  return found;
}

// Whether both neighbours of the node, or the ends of the list, point to it.
bool TimerWheel::is_linked(const Slot& in, std::uint32_t index) const noexcept {
  const Node& node = nodes_[index];
  return (node.previous != none ? nodes_[node.previous].next : in.first) == index &&
         (node.next != none ? nodes_[node.next].previous : in.last) == index;
}

// Cancels a timer, wherever it lies.
void TimerWheel::remove(std::uint32_t index) noexcept {
  Node& node = nodes_[index];
  if (node.place == in_fresh_list) return remove_fresh(index);
  invalidate(node);
  add_to_size(-std::size_t{1});
  if (node.place == in_heap) {  // its position in the heap is not known: it stays there for now
    node.place = in_heap_cancelled;
    return drop_cancelled();
  }
  Slot& from = slots_->all[node.place];
  ACTORD_ASSERT(is_linked(from, index));
  unlink(from, node);
  if (from.first == none) mark_empty(node.place);
  free_node(index);
}

// Makes room for more nodes. All memory that a timer needs until it has fired is allocated here, so
// that a timer that was added can always be fired.
void TimerWheel::grow() {
  if (arena_ == nullptr) {
    slots_ = std::make_unique<Slots>();
    arena_ = std::make_unique<base::Arena>(sizeof(Node) << TimerHandle::node_bits);
    nodes_ = reinterpret_cast<Node*>(arena_->base());
  }
  const std::size_t room = arena_->size() / sizeof(Node);
  if (capacity_ == room) throw std::bad_alloc{};
  const std::size_t larger = std::min(std::size_t{capacity_} * 2 + 64, room);
  heap_.reserve(larger);
  arena_->use(larger * sizeof(Node));
  capacity_ = static_cast<std::uint32_t>(larger);
}

// ---- slots --------------------------------------------------------------------------------------

// Puts a node into the heap if its tick has come, else into a slot. The level is that of the
// highest digit (base 256) in which the deadline's tick differs from `tick_`. So every timer of a
// lower level is due before all of a higher one. Timers with equal deadlines lie in one slot, in
// order of insertion. The content of a slot moves down when time reaches its first tick.
void TimerWheel::place(std::uint32_t index) noexcept {
  Node& node = nodes_[index];
  const std::uint64_t tick = tick_of(node.due_ns, tick_bits);
  if (tick <= tick_) {
    node.place = in_heap;
    ACTORD_ASSERT(heap_.size() < heap_.capacity());  // a node is in the heap once, see grow()
    heap_.push_back({node.due_ns, ++last_number_, index});
    return std::push_heap(heap_.begin(), heap_.end());
  }
  const auto level = static_cast<std::uint32_t>(63 - std::countl_zero(tick ^ tick_)) / level_bits;
  const std::uint64_t in_level = (tick >> (level * level_bits)) % slots_per_level;
  const auto number = static_cast<std::uint32_t>(level * slots_per_level + in_level);
  node.place = static_cast<std::uint16_t>(number);
  Slot& to = slots_->all[number];
  std::uint64_t& occupied = slots_->occupied[number / 64];
  const std::uint64_t bit = std::uint64_t{1} << number % 64;
  if ((occupied & bit) == 0) {
    occupied |= bit;
    slots_->levels_occupied |= 1u << level;
    to = {none, none, node.due_ns};
  } else if (node.due_ns < to.bound_ns) {
    to.bound_ns = node.due_ns;
  }
  append(to, index);
}

// Marks a slot as empty.
void TimerWheel::mark_empty(std::uint16_t slot) noexcept {
  slots_->occupied[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
  const std::uint32_t level = slot / slots_per_level;
  const std::uint64_t* const of_level = &slots_->occupied[level * slots_per_level / 64];
  if ((of_level[0] | of_level[1] | of_level[2] | of_level[3]) == 0)
    slots_->levels_occupied &= ~(1u << level);
}

// The occupied slot that is due first; `no_slot` if all are empty.
std::uint16_t TimerWheel::first_slot() const noexcept {
  if (slots_ == nullptr || slots_->levels_occupied == 0) return no_slot;
  const auto level = static_cast<std::uint32_t>(std::countr_zero(slots_->levels_occupied));
  std::uint32_t word = level * slots_per_level / 64;
  while (slots_->occupied[word] == 0) ++word;
  const auto bit = static_cast<std::uint32_t>(std::countr_zero(slots_->occupied[word]));
  return static_cast<std::uint16_t>(word * 64 + bit);
}

// The first tick of an occupied slot: the digit of the slot itself, above it the digits of `tick_`,
// below it zeros.
std::uint64_t TimerWheel::start_of(std::uint16_t slot) const noexcept {
  const std::uint32_t shift = slot / slots_per_level * level_bits;
  const std::uint64_t above = tick_ >> shift >> level_bits << level_bits;
  return (above | slot % slots_per_level) << shift;
}

// ---- time ---------------------------------------------------------------------------------------

// Moves due timers from the wheel to `timers` until there is no room; returns how many.
std::size_t TimerWheel::pop_due(Side side, std::int64_t now_ns, std::span<Timer> timers) {
  const Lock lock(*this, side);
  // Another thread's `now_ns` may be older than a timer that the owner has added meanwhile. The
  // delay of that timer must not count from before it was added.
  if (fresh_.first != none)
    set_deadlines(side == Side::owner ? now_ns : std::max(now_ns, base::monotonic_ns()));
  advance(now_ns);
  std::size_t n = 0;
  for (; n < timers.size() && !heap_.empty() && heap_.front().due_ns <= now_ns; ++n) {
    const std::uint32_t index = heap_.front().node;
    Node& node = nodes_[index];
    ACTORD_ASSERT(node.place == in_heap);
    timers[n] = {node.due_ns, node.owner, node.token};
    pop_from_heap();
    invalidate(node);
    free_node(index);
    drop_cancelled();
  }
  add_to_size(-n);
  next_due_.store(bound(), base::relaxed);
  return n;
}

// Turns the delays of the fresh timers into deadlines, and places these timers.
void TimerWheel::set_deadlines(std::int64_t now_ns) noexcept {
  for (std::uint32_t index = fresh_.first; index != none;) {
    const std::uint32_t next = nodes_[index].next;
    nodes_[index].due_ns += now_ns;
    place(index);
    index = next;
  }
  fresh_ = {};
  has_fresh_.store(false, base::relaxed);
}

// Sets `tick_` to the tick of `now_ns`, and moves down the content of every slot that is reached.
void TimerWheel::advance(std::int64_t now_ns) noexcept {
  const std::uint64_t target = tick_of(now_ns, tick_bits);
  if (target <= tick_) return;
  for (std::uint16_t first = first_slot(); first != no_slot; first = first_slot()) {
    const std::uint64_t start = start_of(first);
    if (start > target) break;
    ACTORD_ASSERT(start > tick_);  // every occupied slot lies ahead of `tick_`
    tick_ = start;
    mark_empty(first);
    for (std::uint32_t index = slots_->all[first].first; index != none;) {
      const std::uint32_t next = nodes_[index].next;
      place(index);
      index = next;
    }
  }
  tick_ = target;
}

// A time before which no placed timer is due.
std::int64_t TimerWheel::bound() const noexcept {
  if (!heap_.empty()) return heap_.front().due_ns;
  const std::uint16_t first = first_slot();
  return first != no_slot ? slots_->all[first].bound_ns : never;
}

std::int64_t TimerWheel::earliest_due() {
  const Lock lock(*this, Side::other);
  if (!heap_.empty()) return heap_.front().due_ns;
  const std::uint16_t first = first_slot();
  if (first == no_slot) return never;
  std::int64_t earliest = never;
  for (std::uint32_t index = slots_->all[first].first; index != none; index = nodes_[index].next)
    earliest = std::min(earliest, nodes_[index].due_ns);
  return earliest;
}

// ---- the heap -----------------------------------------------------------------------------------

void TimerWheel::pop_from_heap() noexcept {
  std::pop_heap(heap_.begin(), heap_.end());
  heap_.pop_back();
}

// Frees cancelled nodes until the top of the heap is a timer that has not been cancelled.
void TimerWheel::drop_cancelled() noexcept {
  while (!heap_.empty() && nodes_[heap_.front().node].place == in_heap_cancelled) {
    const std::uint32_t index = heap_.front().node;
    pop_from_heap();
    free_node(index);
  }
}

}  // namespace actord::sched
