// SPDX-License-Identifier: Apache-2.0
//
// A hash table from keys to positions, for objects with many members. It stores hashes and
// positions, but not the keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <string_view>
#include <vector>

namespace actord::hocon {

/// Finds the position of a key. The keys belong to the owner of the index, who passes
/// `key_at(position)` to read one.
class KeyIndex {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  explicit KeyIndex(std::pmr::memory_resource* arena) : entries_(arena) {}

  template <class KeyAt>
  std::uint32_t find(std::string_view key, const KeyAt& key_at) const {
    if (entries_.empty()) return none;
    const std::uint32_t hash = hash_of(key);
    for (std::size_t i = hash & mask(); entries_[i].position != none; i = (i + 1) & mask()) {
      if (entries_[i].hash == hash && key_at(entries_[i].position) == key)
        return entries_[i].position;
    }
    return none;
  }

  /// Makes room for that number of keys. The index must be empty.
  void reserve(std::size_t keys) {
    std::size_t size = first_size;
    while (size * 2 < keys * 3) size *= 2;
    entries_.resize(size);
  }

  /// Adds a key that is not in the index yet.
  void insert(std::string_view key, std::uint32_t position) {
    if ((used_ + 1) * 3 > entries_.size() * 2) grow();
    put({hash_of(key), position});
    ++used_;
  }

 private:
  static constexpr std::size_t first_size = 32;

  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t position = none;
  };

  static std::uint32_t hash_of(std::string_view key) noexcept {
    const std::size_t hash = std::hash<std::string_view>()(key);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
  }
  std::size_t mask() const noexcept { return entries_.size() - 1; }

  void put(const Entry& entry) {
    std::size_t i = entry.hash & mask();
    while (entries_[i].position != none) i = (i + 1) & mask();
    entries_[i] = entry;
  }

  void grow() {
    std::pmr::vector<Entry> old(entries_.get_allocator());
    old.swap(entries_);
    entries_.resize(old.empty() ? first_size : old.size() * 2);
    for (const Entry& entry : old) {
      if (entry.position != none) put(entry);
    }
  }

  std::pmr::vector<Entry> entries_;
  std::size_t used_ = 0;
};

}  // namespace actord::hocon
