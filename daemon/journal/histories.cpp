// SPDX-License-Identifier: Apache-2.0
#include "journal/histories.hpp"

#include <algorithm>
#include <utility>

namespace actord::journal {

namespace {

constexpr std::size_t cached_max = 65'536;  // ids in memory that have not changed

#define ACTORD_ID_COLUMNS                                                                  \
  "number, name, first_sequence, last_sequence, indexed_to, last_run, written_ns, bytes, " \
  "newest_only"

[[noreturn]] void damaged_runs(const Database& database, const History& history) {
  throw Failure{{persist::Fault::damaged,
                 "the index of the events of \"" + history.id + "\" in the journal " +
                     database.path() + " is damaged; restore the folder from a backup",
                 true},
                true};
}

}  // namespace

Histories::Histories(Database& database)
    : database_(database),
      by_id_(database, "SELECT " ACTORD_ID_COLUMNS " FROM ids WHERE name = ?1"),
      by_number_(database, "SELECT " ACTORD_ID_COLUMNS " FROM ids WHERE number = ?1"),
      insert_(database,
              "INSERT INTO ids (name, first_sequence, last_sequence, indexed_to) "
              "VALUES (?1, ?2, ?3, ?3)"),
      update_(database,
              "UPDATE ids SET first_sequence = ?2, last_sequence = ?3, indexed_to = ?4, "
              "last_run = ?5, written_ns = ?6, bytes = ?7, newest_only = ?8 WHERE number = ?1"),
      delete_(database, "DELETE FROM ids WHERE number = ?1"),
      page_(database,
            "SELECT " ACTORD_ID_COLUMNS " FROM ids WHERE name > ?1 ORDER BY name LIMIT ?2"),
      run_(database, "SELECT id, first_sequence, previous, spans FROM runs WHERE number = ?1"),
      insert_run_(database,
                  "INSERT INTO runs (id, first_sequence, previous, spans) VALUES (?1, ?2, ?3, ?4)"),
      delete_run_(database, "DELETE FROM runs WHERE number = ?1"),
      covered_(database, "SELECT max(sequence) FROM snapshots WHERE id = ?1") {
  if (database.ask_number("SELECT count(*) FROM sqlite_schema WHERE name = 'dropped'") != 0)
    prepare_dropped();
}

#undef ACTORD_ID_COLUMNS

History& Histories::keep(std::unique_ptr<History> history) {
  history->checksum.add(history->id);
  History& kept = *history;
  if (kept.number != 0) by_number_cache_[kept.number] = &kept;
  by_id_cache_.emplace(std::string_view{kept.id}, std::move(history));
  return kept;
}

History* Histories::read(Query& query) {
  if (!query.next()) return nullptr;
  if (const auto found = by_id_cache_.find(query.bytes(1)); found != by_id_cache_.end())
    return found->second.get();
  auto history = std::make_unique<History>();
  history->number = query.number(0);
  history->id = query.bytes(1);
  history->first = query.unsigned_number(2);
  history->last = query.unsigned_number(3);
  history->indexed_to = query.unsigned_number(4);
  history->last_run = query.number(5);
  history->written_ns = query.number(6);
  history->indexed_bytes = query.unsigned_number(7);
  history->is_newest_only = query.number(8) != 0;
  Query covered(covered_, history->number);
  if (covered.next()) history->covered = covered.unsigned_number(0);
  history->dropped_to = dropped_to(history->id);
  return &keep(std::move(history));
}

History* Histories::find(std::string_view id) {
  if (const auto found = by_id_cache_.find(id); found != by_id_cache_.end())
    return found->second.get();
  Query query(by_id_, id);
  return read(query);
}

History& Histories::at(std::string_view id) {
  if (History* found = find(id)) return *found;
  auto history = std::make_unique<History>();
  history->id = id;
  history->dropped_to = history->last = history->indexed_to = dropped_to(id);
  history->first = history->last + 1;
  return keep(std::move(history));
}

History* Histories::numbered(std::int64_t number) {
  if (const auto found = by_number_cache_.find(number); found != by_number_cache_.end())
    return found->second;
  Query query(by_number_, number);
  return read(query);
}

void Histories::insert(History& history) {
  run(insert_, std::string_view{history.id}, history.first, history.last);
  history.number = sqlite3_last_insert_rowid(database_.handle());
  by_number_cache_[history.number] = &history;
}

void Histories::change(History& history) {
  if (std::exchange(history.is_dirty, true)) return;
  dirty_.push_back(&history);
}

void Histories::note(History& history, const Span& events, std::int64_t written_ns,
                     std::size_t bytes) {
  change(history);
  extend(history.pending, events);
  history.last = std::max(history.last, events.end() - 1);
  history.written_ns = written_ns;
  history.pending_bytes += bytes;
  unindexed_ += events.count;
  unindexed_bytes_ += bytes;
}

void Histories::note_deleted(History& history, std::uint64_t first, std::uint64_t indexed_bytes,
                             std::uint64_t pending_bytes) {
  history.first = first;
  history.indexed_bytes -= std::min(history.indexed_bytes, indexed_bytes);
  history.pending_bytes -= std::min(history.pending_bytes, pending_bytes);
  cut_before(history.pending, first);
  if (history.indexed) {
    for (const History::Indexed::Run& each : history.indexed->runs)
      if (each.last < first) {
        run(delete_run_, each.number);
        if (each.number == history.last_run) history.last_run = 0;
      }
    history.indexed.reset();
  }
  // The pending events are not counted in this row: they are read again after a start.
  run(update_, history.number, history.first, history.last, history.indexed_to, history.last_run,
      history.written_ns, history.indexed_bytes, history.is_newest_only);
}

void Histories::load_runs(History& history, std::uint64_t from) {
  auto indexed = std::make_unique<History::Indexed>();
  std::vector<std::vector<Span>> newest_first;
  std::uint64_t end = history.indexed_to + 1;
  for (std::int64_t number = history.last_run; number != 0 && end > from;) {
    Query query(run_, number);
    if (!query.next() || query.number(0) != history.number) damaged_runs(database_, history);
    const std::uint64_t first = query.unsigned_number(1);
    auto spans = decode(query.bytes(3), first);
    if (!spans || spans->empty() || spans->back().end() != end) damaged_runs(database_, history);
    indexed->runs.push_back({number, end - 1});
    newest_first.push_back(*std::move(spans));
    end = first;
    number = query.number(2);
  }
  if (end > from) damaged_runs(database_, history);
  std::reverse(indexed->runs.begin(), indexed->runs.end());
  for (auto part = newest_first.rbegin(); part != newest_first.rend(); ++part)
    indexed->spans.insert(indexed->spans.end(), part->begin(), part->end());
  history.indexed = std::move(indexed);
}

std::vector<Span> Histories::spans(History& history, std::uint64_t from, std::uint64_t enough) {
  from = std::max(from, history.first);
  std::vector<Span> spans;
  std::uint64_t count = 0;
  const auto add = [&](const std::vector<Span>& known) {
    auto span = std::partition_point(known.begin(), known.end(),
                                     [&](const Span& each) { return each.end() <= from; });
    for (; span != known.end() && count < enough; ++span) {
      spans.push_back(*span);
      count += std::min(span->end() - from, span->count);
    }
  };
  if (from <= history.indexed_to) {
    const auto& known = history.indexed;
    if (!known || known->spans.front().sequence > from) load_runs(history, from);
    add(history.indexed->spans);
  }
  add(history.pending);
  cut_before(spans, from);
  return spans;
}

void Histories::index() {
  for (History* each : dirty_) {
    History& history = *each;
    if (!history.pending.empty()) {
      run(insert_run_, history.number, history.pending.front().sequence, history.last_run,
          Blob{encode(history.pending)});
      history.last_run = sqlite3_last_insert_rowid(database_.handle());
    }
    history.indexed_to = history.last;
    history.indexed_bytes += std::exchange(history.pending_bytes, 0);
    history.pending = {};
    history.indexed.reset();
    history.is_dirty = false;
    run(update_, history.number, history.first, history.last, history.indexed_to, history.last_run,
        history.written_ns, history.indexed_bytes, history.is_newest_only);
  }
  dirty_.clear();
  unindexed_ = unindexed_bytes_ = 0;
}

void Histories::drop(History& history) {
  if (history.first <= history.indexed_to) load_runs(history, history.first);
  if (history.indexed)
    for (const History::Indexed::Run& each : history.indexed->runs) run(delete_run_, each.number);
  run(delete_, history.number);
  if (history.last != 0) {
    if (!note_dropped_) {
      database_.execute(
          "CREATE TABLE dropped (name TEXT PRIMARY KEY, last_sequence INTEGER NOT NULL) "
          "WITHOUT ROWID");
      prepare_dropped();
    }
    run(*note_dropped_, std::string_view{history.id}, history.last);
  }
  std::erase(dirty_, &history);
  by_number_cache_.erase(history.number);
  by_id_cache_.erase(by_id_cache_.find(history.id));
}

void Histories::prepare_dropped() {
  dropped_ =
      std::make_unique<Statement>(database_, "SELECT last_sequence FROM dropped WHERE name = ?1");
  note_dropped_ = std::make_unique<Statement>(
      database_, "INSERT OR REPLACE INTO dropped (name, last_sequence) VALUES (?1, ?2)");
}

std::uint64_t Histories::dropped_to(std::string_view id) {
  if (!dropped_) return 0;
  Query query(*dropped_, id);
  return query.next() ? query.unsigned_number(0) : 0;
}

void Histories::shrink() {
  if (by_id_cache_.size() <= cached_max + dirty_.size()) return;
  std::erase_if(by_id_cache_, [&](const auto& entry) {
    if (entry.second->is_dirty) return false;
    by_number_cache_.erase(entry.second->number);
    return true;
  });
}

std::vector<History*> Histories::list(std::string_view after, std::size_t limit) {
  std::vector<History*> listed;
  Query query(page_, after, static_cast<std::int64_t>(limit));
  while (History* history = read(query)) listed.push_back(history);
  return listed;
}

}  // namespace actord::journal
