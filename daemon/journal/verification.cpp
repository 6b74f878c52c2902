// SPDX-License-Identifier: Apache-2.0
#include "journal/verification.hpp"

#include <algorithm>
#include <utility>

namespace actord::journal {

namespace {

std::string event_of(const History& history, std::uint64_t sequence) {
  return "event " + std::to_string(sequence) + " of \"" + history.id + "\"";
}

}  // namespace

bool Verification::step(Session& session, std::size_t rows) {
  session.histories.shrink();
  switch (stage_) {
    case Stage::begin:
      last_row_ = session.last_row();
      stage_ = Stage::events;
      [[fallthrough]];
    case Stage::events: read_events(session, rows); break;
    case Stage::snapshots: {
      std::vector<std::string> damages;
      // Each may be as large as a hundred events.
      const std::size_t count = std::max<std::size_t>(1, rows / 100);
      const std::uint64_t found =
          session.snapshots.check(session.histories, snapshot_row_, count, damages);
      snapshots_ += found;
      for (std::string& each : damages) damage(std::move(each));
      if (found < count) stage_ = Stage::ids;
      break;
    }
    case Stage::ids: check_ids(session, rows); break;
    case Stage::end: break;
  }
  return stage_ != Stage::end;
}

void Verification::read_events(Session& session, std::size_t rows) {
  std::size_t count = 0;
  session.events.scan(row_ + 1, last_row_, rows, [&](const EventTable::Row& row) {
    ++count;
    row_ = row.number;
    check(session, row);
  });
  events_ += count;
  if (count < rows) stage_ = Stage::snapshots;
}

void Verification::check(Session& session, const EventTable::Row& row) {
  const History* history = session.histories.numbered(row.id);
  if (history == nullptr) {
    damage("row " + std::to_string(row.number) + ' ' + row.damage);
    return;
  }
  std::uint64_t& next = next_.try_emplace(row.id, history->first).first->second;
  // Events may have been deleted since the step before.
  if (next < history->first) next = history->first;
  if (!row.damage.empty()) {
    damage(event_of(*history, row.sequence) + ' ' + row.damage);
    if (row.sequence != next) return;  // its number, or its id, may be what is damaged
  } else if (row.sequence > next) {
    damage(event_of(*history, next) + " is missing");
  } else if (row.sequence < next) {
    damage(event_of(*history, row.sequence) + " is there twice");
  }
  next = row.sequence + 1;
}

void Verification::check_ids(Session& session, std::size_t count) {
  const auto page = session.histories.list(id_, count);
  for (const History* history : page) {
    id_ = history->id;
    const auto found = next_.find(history->number);
    const std::uint64_t next = found == next_.end() ? history->first : found->second;
    // Those behind `last_row_` were written meanwhile.
    for (const Span& span : session.histories.spans(*session.histories.find(id_), next, 1))
      if (span.sequence >= next && span.row <= last_row_)
        damage(event_of(*history, next) + " is missing");
  }
  if (page.size() < count) stage_ = Stage::end;
}

double Verification::progress() const noexcept {
  if (stage_ > Stage::events || last_row_ == 0) return 1;
  return static_cast<double>(row_) / static_cast<double>(last_row_);
}

void Verification::damage(std::string what) {
  if (++damage_count_ <= damages_max) damages_.push_back(std::move(what));
}

}  // namespace actord::journal
