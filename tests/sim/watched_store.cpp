// SPDX-License-Identifier: Apache-2.0
#include "sim/watched_store.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace actord::sim {

namespace {

/// The value of the key `mark` of a map in MessagePack; 0 if it has none.
std::uint32_t mark_of(std::string_view content) {
  constexpr std::string_view key = "\xa4mark";
  const std::size_t found = content.find(key);
  if (found == content.npos) return 0;
  const std::string_view value = content.substr(found + key.size());
  const auto first = static_cast<unsigned char>(value[0]);
  if (first < 0x80) return first;
  ACTORD_ASSERT(first >= 0xcc && first <= 0xcf);  // an unsigned integer of 1, 2, 4 or 8 bytes
  std::uint64_t mark = 0;
  for (std::size_t i = 1; i <= std::size_t{1} << (first - 0xcc); ++i)
    mark = mark << 8 | static_cast<unsigned char>(value[i]);
  return static_cast<std::uint32_t>(mark);
}

}  // namespace

void WatchedStore::fail_at(persist::MemoryStore::FaultAt fault_at) {
  store_.fail_at([this, fault_at = std::move(fault_at)](Point point) {
    is_written_ = point == Point::commit;
    return fault_at(point);
  });
}

const WatchedStore::Marks& WatchedStore::marks(std::string_view id) const {
  static const Marks none;
  const auto found = marks_.find(id);
  return found == marks_.end() ? none : found->second;
}

bool WatchedStore::has(std::string_view id, std::uint32_t mark) const {
  return std::ranges::count(marks(id), mark) != 0;
}

persist::StoreResult<void> WatchedStore::write(std::span<const persist::Write> group,
                                               std::int64_t now_ns) {
  is_written_ = false;
  for (const persist::Write& each : group)
    if (each.snapshot && on_snapshot_) on_snapshot_(each.id, each.snapshot->sequence);
  auto written = store_.write(group, now_ns);
  if (!written && !is_written_) return written;
  for (const persist::Write& each : group) {
    for (const persist::Entry& event : each.events) {
      const std::uint32_t mark = mark_of(event.content);
      if (mark == 0) continue;
      marks_[std::string{each.id}].push_back(mark);
      if (on_written_) on_written_(each.id, mark);
    }
  }
  return written;
}

persist::StoreResult<persist::DropStep> WatchedStore::drop(std::string_view id) {
  auto dropped = store_.drop(id);
  if (dropped.ok()) marks_.erase(std::string{id});
  return dropped;
}

}  // namespace actord::sim
