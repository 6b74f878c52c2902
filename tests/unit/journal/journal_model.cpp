// SPDX-License-Identifier: Apache-2.0
#include "unit/journal/journal_model.hpp"

#include <algorithm>

namespace actord::journal {

namespace {

constexpr std::int64_t some_time_ns = 1'700'000'000'123'456'789;
constexpr std::size_t ids = 6;

std::string named(const std::string& id, std::uint64_t sequence, const char* what) {
  return "event " + std::to_string(sequence) + " of " + id + ' ' + what;
}

}  // namespace

std::string content_of(std::string_view id, std::uint64_t sequence) {
  base::Random random(sequence * 1'000 + id.size());
  const std::size_t size = random.chance(0.05) ? random.below(20'000) : random.below(300);
  std::string content = std::string{id} + '#' + std::to_string(sequence) + '#';
  while (content.size() < size) content += static_cast<char>('a' + random.below(26));
  return content;
}

Recovered recover(persist::Store& store, const std::string& id, std::string& wrong) {
  Recovered recovered;
  const auto beginning = store.look(id);
  if (!beginning) return wrong = id + ": " + beginning.error().what, recovered;
  recovered.last = beginning->last_sequence;
  if (beginning->snapshot) {
    recovered.snapshot = beginning->snapshot->sequence;
    if (beginning->snapshot->content != content_of(id, recovered.snapshot))
      wrong = "another snapshot of " + id;
  }
  std::uint64_t next = recovered.snapshot + 1;
  while (next <= recovered.last) {
    const auto page = store.read(id, next, {7, 5'000});
    if (!page) return wrong = id + ": " + page.error().what, recovered;
    if (page->empty()) return wrong = named(id, next, "is not there"), recovered;
    if (recovered.events == 0) next = recovered.first_event = page->front().sequence;
    for (const persist::StoredEntry& event : *page) {
      if (event.sequence != next) wrong = named(id, next, "is missing");
      if (event.content != content_of(id, event.sequence)) wrong = named(id, next, "is another");
      ++next;
      ++recovered.events;
    }
  }
  return recovered;
}

persist::Entry JournalModel::entry(Group& group, const std::string& id, std::uint64_t sequence) {
  const std::string& content = group.texts.emplace_back(content_of(id, sequence));
  return {sequence, sequence % 3 == 0 ? "test.Third/1" : "test.Event/1", content};
}

void JournalModel::add(Group& group, const std::string& id, Id& state) {
  auto& events = group.events.emplace_back();
  for (std::uint64_t i = random_.below(6); i > 0; --i)
    events.push_back(entry(group, id, ++state.tried));
  persist::Write write{id, events, {}, state.kind == Kind::newest_only, 0};
  if (state.kind == Kind::snapshots) {
    if (state.tried > 0 && random_.chance(0.4)) {
      write.snapshot = entry(group, id, state.tried);
      state.snapshot_tried = state.tried;
    }
    if (random_.chance(0.5)) write.delete_to = state.snapshot_acknowledged;
  }
  group.writes.push_back(write);
}

bool JournalModel::write(persist::Store& store) {
  Group group;
  for (std::uint64_t i = 1 + random_.below(4); i > 0; --i) {
    const std::uint64_t nth = random_.below(ids);
    const std::string id = "/user/" + std::string(nth + 1, static_cast<char>('a' + nth));
    const auto [found, is_new] = ids_.try_emplace(id);
    if (is_new) found->second.kind = static_cast<Kind>(nth % 3);
    add(group, found->first, found->second);
  }
  if (!store.write(group.writes, some_time_ns)) return false;
  for (auto& [id, state] : ids_) {
    state.acknowledged = state.tried;
    state.snapshot_acknowledged = state.snapshot_tried;
  }
  return true;
}

std::string JournalModel::check(persist::Store& store) {
  for (auto& [id, state] : ids_) {
    std::string wrong;
    const Recovered recovered = recover(store, id, wrong);
    if (!wrong.empty()) return wrong;
    if (recovered.last < state.acknowledged) return named(id, state.acknowledged, "is lost");
    if (recovered.last > state.tried) return named(id, recovered.last, "was never written");
    if (recovered.snapshot < state.snapshot_acknowledged) return "a snapshot of " + id + " is lost";
    const bool may_begin_later = state.kind == Kind::newest_only;
    if (recovered.events != 0 && recovered.first_event != recovered.snapshot + 1 &&
        !may_begin_later)
      return named(id, recovered.snapshot + 1, "is missing");
    if (may_begin_later && recovered.last > 0 && recovered.first_event != recovered.last)
      return named(id, recovered.first_event, "is still there");
    state.acknowledged = state.tried = recovered.last;
    state.snapshot_acknowledged = state.snapshot_tried = recovered.snapshot;
  }
  return {};
}

std::uint64_t JournalModel::acknowledged() const {
  std::uint64_t sum = 0;
  for (const auto& [id, state] : ids_) sum += state.acknowledged;
  return sum;
}

}  // namespace actord::journal
