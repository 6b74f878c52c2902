// SPDX-License-Identifier: Apache-2.0
//
// A table of values with keys. A key consists of the value's place and the number of times that the
// place has been used, so a key is not given again until its place was used some 2^32 times. Places
// are reused: a table that was once large enough allocates no more.
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
  static constexpr int place_bits = 29, key_bits = place_bits + 32;

  bool is_empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }

  /// Adds a value and returns its key, which is never 0. Invalidates pointers to values.
  std::uint64_t add(Value value) {
    std::uint32_t place = free_;
    if (place == none) {
      place = static_cast<std::uint32_t>(slots_.size());
      slots_.push_back({});
    } else {
      free_ = slots_[place].next_free;
    }
    slots_[place].value.emplace(std::move(value));
    ++size_;
    return key_of(place);
  }
  /// Null if the table has no value with this key, or has it no more.
  Value* find(std::uint64_t key) noexcept {
    const std::uint64_t place = key % (std::uint64_t{1} << place_bits);
    if (place >= slots_.size()) return nullptr;
    Slot& slot = slots_[place];
    return slot.value && slot.uses == key >> place_bits ? &*slot.value : nullptr;
  }
  /// Removes a value and returns it. find() must find the key.
  Value take(std::uint64_t key) noexcept {
    const auto place = static_cast<std::uint32_t>(key % (std::uint64_t{1} << place_bits));
    Slot& slot = slots_[place];
    ACTORD_ASSERT(slot.uses == key >> place_bits);  // else the place has another value
    Value value = std::move(*slot.value);
    slot.value.reset();
    if (++slot.uses == 0) slot.uses = 1;
    slot.next_free = std::exchange(free_, place);
    --size_;
    return value;
  }
  /// Removes all values: calls visit(key, Value) for each.
  template <class Visit>
  void take_all(Visit&& visit) {
    for (std::uint32_t place = 0; size_ != 0 && place < slots_.size(); ++place) {
      if (!slots_[place].value) continue;
      const std::uint64_t key = key_of(place);
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

  std::uint64_t key_of(std::uint32_t place) const noexcept {
    return std::uint64_t{slots_[place].uses} << place_bits | place;
  }

  std::vector<Slot> slots_;
  std::uint32_t free_ = none;  // the first free place
  std::size_t size_ = 0;
};

}  // namespace actord::actor
