// SPDX-License-Identifier: Apache-2.0
//
// The pending asks of one actor by their numbers, which are consecutive. A number is part of the
// ref to which the ask is answered (core/decisions/0006), so an answer that comes too late must not
// fit a later ask, not even one of a later tenant of the cell. A number is given again after 2^36
// asks, and the numbers of two tenants begin far from each other.
//
// The table is a ring that is at most half full: an ask lies at its number modulo the size.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "actor/ref.hpp"
#include "base/assert.hpp"

namespace actord::actor {

template <class Value>
class AskTable {
 public:
  bool is_empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }

  /// Adds a value for the tenant of this generation, and returns its number, which is never 0.
  /// Invalidates pointers to values.
  std::uint64_t add(std::uint32_t generation, Value value) {
    if (2 * size_ >= slots_.size()) [[unlikely]]
      grow(generation);
    do last_ = (last_ + 1) & max_ask_number;
    while (last_ == 0 || slot_of(last_).number != 0);
    Slot& slot = slot_of(last_);
    slot.number = last_;
    slot.value = std::move(value);
    ++size_;
    return last_;
  }
  /// Null if the ask is over, or if no ask has had this number.
  Value* find(std::uint64_t number) noexcept {
    if (slots_.empty() || number == 0) return nullptr;
    Slot& slot = slot_of(number);
    return slot.number == number ? &slot.value : nullptr;
  }
  /// Removes a value and returns it. find() must find the number.
  Value take(std::uint64_t number) noexcept {
    Slot& slot = slot_of(number);
    ACTORD_ASSERT(slot.number == number);  // else the ask is over
    slot.number = 0;
    --size_;
    return std::move(slot.value);
  }
  /// Removes all values: calls visit(number, Value) for each.
  template <class Visit>
  void take_all(Visit&& visit) {
    for (Slot& slot : slots_) {
      if (slot.number == 0) continue;
      const std::uint64_t number = slot.number;
      visit(number, take(number));
    }
  }
  /// Whether this tenant has given the number to an ask, which may be over.
  bool has_given(std::uint64_t number) const noexcept {
    return !slots_.empty() &&
           ((number - first_) & max_ask_number) <= ((last_ - first_) & max_ask_number);
  }

 private:
  struct Slot {
    std::uint64_t number = 0;  // 0: free
    Value value;
  };

  Slot& slot_of(std::uint64_t number) noexcept { return slots_[number & (slots_.size() - 1)]; }

  // 2^36 divided by the golden ratio: so the numbers of any two generations that are at most n
  // apart begin at least 2^36 / 2.7n apart.
  static std::uint64_t first_number(std::uint32_t generation) noexcept {
    return generation * std::uint64_t{0x9e3779b97f4a7c15} >> (64 - ask_number_bits);
  }
  void grow(std::uint32_t generation) {
    if (slots_.empty()) {
      last_ = first_number(generation);
      first_ = (last_ + 1) & max_ask_number;
    }
    std::vector<Slot> old(slots_.empty() ? 4 : 2 * slots_.size());
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.number != 0) slot_of(slot.number) = std::move(slot);
    }
  }

  std::vector<Slot> slots_;  // their number is a power of 2
  std::uint64_t first_ = 0, last_ = 0;
  std::size_t size_ = 0;
};

}  // namespace actord::actor
