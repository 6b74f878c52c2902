// SPDX-License-Identifier: Apache-2.0
//
// A table of values with keys. A key consists of the value's slot and the number of times that the
// slot has been used, so a key is not given again until its slot was used some 2^32 times. Slots
// are reused: a table that was once large enough allocates no more.
//
// A map of a library with a counter for the keys would do, but with boost::unordered_map 1.81 a
// timer takes 35 % more instructions (the row `timer` of tests/bench).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.hpp"

namespace actord::actor {

template <class Value>
class SlotTable {
 public:
  static constexpr int index_bits = 29, key_bits = index_bits + 32;

  bool is_empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }

  /// Adds a value and returns its key, which is never 0. Invalidates pointers to values.
  std::uint64_t add(Value value) {
    std::uint32_t index = free_;
    if (index == none) {
      index = static_cast<std::uint32_t>(slots_.size());
      slots_.push_back({});
    } else {
      free_ = slots_[index].next_free;
    }
    slots_[index].value.emplace(std::move(value));
    ++size_;
    return key_of(index);
  }
  /// Null if the table has no value with this key, or has it no more.
  Value* find(std::uint64_t key) noexcept {
    const std::uint64_t index = key % (std::uint64_t{1} << index_bits);
    if (index >= slots_.size()) return nullptr;
    Slot& slot = slots_[index];
    return slot.value && slot.uses == key >> index_bits ? &*slot.value : nullptr;
  }
  /// Removes a value and returns it. find() must find the key.
  Value take(std::uint64_t key) noexcept {
    const auto index = static_cast<std::uint32_t>(key % (std::uint64_t{1} << index_bits));
    Slot& slot = slots_[index];
    ACTORD_ASSERT(slot.uses == key >> index_bits);  // else the slot has another value
    Value value = std::move(*slot.value);
    slot.value.reset();
    if (++slot.uses == 0) slot.uses = 1;
    slot.next_free = std::exchange(free_, index);
    --size_;
    return value;
  }
  /// Calls visit(const Value&) for each value.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.value) visit(*slot.value);
    }
  }
  /// Removes all values: calls visit(key, Value) for each.
  template <class Visit>
  void take_all(Visit&& visit) {
    for (std::uint32_t index = 0; size_ != 0 && index < slots_.size(); ++index) {
      if (!slots_[index].value) continue;
      const std::uint64_t key = key_of(index);
      visit(key, take(key));
    }
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  struct Slot {
    std::optional<Value> value;
    std::uint32_t uses = 1;  // never 0, so that no key is 0
    std::uint32_t next_free = none;
  };

  std::uint64_t key_of(std::uint32_t index) const noexcept {
    return std::uint64_t{slots_[index].uses} << index_bits | index;
  }

  std::vector<Slot> slots_;
  std::uint32_t free_ = none;  // the first free slot
  std::size_t size_ = 0;
};

}  // namespace actord::actor
