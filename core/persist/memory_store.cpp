// SPDX-License-Identifier: Apache-2.0
#include "persist/memory_store.hpp"

#include <algorithm>

namespace actord::persist {

namespace {

StoredEntry stored(const Entry& entry, std::int64_t now_ns) {
  return {entry.sequence, now_ns, std::string{entry.type}, std::string{entry.content}};
}

}  // namespace

StoreResult<void> MemoryStore::write(std::span<const Write> group, std::int64_t now_ns) {
  if (auto fault = fault_at(Point::write)) return *std::move(fault);
  Histories changed;
  for (const Write& each : group) {
    auto found = changed.find(each.id);
    if (found == changed.end()) {
      const auto former = histories_.find(each.id);
      found =
          changed.emplace(each.id, former == histories_.end() ? History{} : former->second).first;
    }
    std::uint64_t last = found->second.last_sequence;
    for (const Entry& event : each.events)
      if (event.sequence != ++last)
        return StoreError{Fault::gap,
                          "event " + std::to_string(event.sequence) + " of \"" +
                              std::string{each.id} + "\" was written as " + std::to_string(last),
                          true};
    write(found->second, each, now_ns);
  }
  for (auto& [id, history] : changed) histories_[id] = std::move(history);
  if (auto fault = fault_at(Point::commit)) return *std::move(fault);
  return {};
}

void MemoryStore::write(History& history, const Write& write, std::int64_t now_ns) const {
  const auto delete_to = [&](std::uint64_t sequence) {
    std::erase_if(history.events, [&](const StoredEntry& e) { return e.sequence <= sequence; });
  };
  const std::uint64_t covered = history.snapshots.empty() ? 0 : history.snapshots.back().sequence;
  for (const Entry& event : write.events) history.events.push_back(stored(event, now_ns));
  if (!write.events.empty()) history.last_sequence = write.events.back().sequence;
  if (write.snapshot) {
    std::erase_if(history.snapshots,
                  [&](const StoredEntry& e) { return e.sequence == write.snapshot->sequence; });
    history.snapshots.push_back(stored(*write.snapshot, now_ns));
    if (history.snapshots.size() > keep_) history.snapshots.erase(history.snapshots.begin());
  }
  if (write.is_newest_only && !write.events.empty()) delete_to(history.last_sequence - 1);
  delete_to(std::min(write.delete_to, covered));
}

StoreResult<Beginning> MemoryStore::look(std::string_view id) {
  if (auto fault = fault_at(Point::look)) return *std::move(fault);
  const auto found = histories_.find(id);
  if (found == histories_.end()) return Beginning{};
  Beginning beginning{.last_sequence = found->second.last_sequence,
                      .snapshot = {},
                      .dropped_to = found->second.dropped_to};
  if (!found->second.snapshots.empty()) beginning.snapshot = found->second.snapshots.back();
  return beginning;
}

StoreResult<std::vector<StoredEntry>> MemoryStore::read(std::string_view id, std::uint64_t from,
                                                        ReadLimit limit) {
  if (auto fault = fault_at(Point::read)) return *std::move(fault);
  std::vector<StoredEntry> entries;
  std::size_t bytes = 0;
  for (const StoredEntry& event : events(id)) {
    if (event.sequence < from) continue;
    bytes += event.content.size();
    if (entries.size() == limit.events || (bytes > limit.bytes && !entries.empty())) break;
    entries.push_back(event);
  }
  return entries;
}

StoreResult<std::vector<IdFacts>> MemoryStore::list(std::string_view after, std::size_t limit) {
  if (auto fault = fault_at(Point::look)) return *std::move(fault);
  std::vector<IdFacts> listed;
  for (auto at = histories_.upper_bound(after); at != histories_.end(); ++at) {
    if (listed.size() == limit) break;
    const auto& [id, history] = *at;
    if (history.is_dropped()) continue;
    IdFacts facts{id, history.last_sequence + 1, history.last_sequence,
                  0,  history.snapshots.size(),  0};
    if (!history.snapshots.empty()) facts.covered = history.snapshots.back().sequence;
    if (!history.events.empty()) {
      facts.first_sequence = history.events.front().sequence;
      facts.written_ns = history.events.back().written_ns;
    }
    for (const StoredEntry& event : history.events) facts.bytes += event.content.size();
    listed.push_back(std::move(facts));
  }
  return listed;
}

StoreResult<std::vector<StoredEntry>> MemoryStore::samples(std::size_t limit) {
  std::map<std::string_view, const StoredEntry*> newest;
  for (const auto& [id, history] : histories_) {
    for (const auto* const entries : {&history.events, &history.snapshots}) {
      for (std::size_t n = std::min(limit, entries->size()); n != 0; --n) {
        const StoredEntry& each = (*entries)[entries->size() - n];
        newest.insert_or_assign(each.type, &each);
      }
    }
  }
  std::vector<StoredEntry> samples;
  for (const auto& [type, entry] : newest) samples.push_back(*entry);
  return samples;
}

StoreResult<DropStep> MemoryStore::drop(std::string_view id) {
  if (auto fault = fault_at(Point::write)) return *std::move(fault);
  const auto found = histories_.find(id);
  if (found == histories_.end() || found->second.is_dropped()) return DropStep::nothing;
  const std::uint64_t last = found->second.last_sequence;
  found->second = {.last_sequence = last, .dropped_to = last};
  return DropStep::done;
}

std::vector<StoredEntry> MemoryStore::events(std::string_view id) const {
  const auto found = histories_.find(id);
  return found == histories_.end() ? std::vector<StoredEntry>{} : found->second.events;
}

void MemoryStore::forget(std::string_view id, std::uint64_t sequence) {
  if (const auto found = histories_.find(id); found != histories_.end())
    std::erase_if(found->second.events,
                  [&](const StoredEntry& event) { return event.sequence == sequence; });
}

std::vector<StoredEntry> MemoryStore::snapshots(std::string_view id) const {
  const auto found = histories_.find(id);
  return found == histories_.end() ? std::vector<StoredEntry>{} : found->second.snapshots;
}

}  // namespace actord::persist
