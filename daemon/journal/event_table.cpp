// SPDX-License-Identifier: Apache-2.0
#include "journal/event_table.hpp"

#include <algorithm>

namespace actord::journal {

namespace {

// The statement that reads takes all spans at once, as JSON: to execute it once for each span takes
// more than twice as long. A number has the first row and, in its low bits, how many follow.
constexpr unsigned count_bits = 16;
constexpr std::uint64_t count_max = std::uint64_t{1} << count_bits;

std::string json_of(const std::vector<Span>& spans) {
  std::string json = "[";
  for (const Span& span : spans)
    for (std::uint64_t done = 0; done < span.count; done += count_max) {
      const std::uint64_t count = std::min(span.count - done, count_max);
      const auto row = static_cast<std::uint64_t>(span.row) + done;
      if (json.size() > 1) json += ',';
      json += std::to_string(row << count_bits | (count - 1));
    }
  return json += ']';
}

}  // namespace

TypeNames::TypeNames(Database& database)
    : database_(database), insert_(database, "INSERT INTO types (name) VALUES (?1)") {
  Statement all(database, "SELECT number, name FROM types");
  Query query(all);
  while (query.next()) {
    numbers_.emplace(query.bytes(1), query.number(0));
    names_.emplace(query.number(0), query.bytes(1));
  }
}

std::int64_t TypeNames::number_of(std::string_view name) {
  if (last_ != nullptr && last_->first == name) return last_->second;
  if (const auto found = numbers_.find(name); found != numbers_.end())
    return last_ = &*found, found->second;
  run(insert_, name);
  const std::int64_t number = sqlite3_last_insert_rowid(database_.handle());
  numbers_.emplace(name, number);
  names_.emplace(number, name);
  return number;
}

const std::string* TypeNames::name_of(std::int64_t number) {
  const auto found = names_.find(number);
  return found == names_.end() ? nullptr : &found->second;
}

EventTable::EventTable(Database& database, TypeNames& types, Histories& histories)
    : database_(database),
      types_(types),
      histories_(histories),
      insert_(database, "INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"),
      erase_(database,
             "DELETE FROM events WHERE number BETWEEN ?1 AND ?2 RETURNING length(content)"),
      read_(database,
            "SELECT event.* FROM json_each(?1) AS span CROSS JOIN events AS event ON event.number "
            "BETWEEN span.value >> 16 AND (span.value >> 16) + (span.value & 65535)"),
      scan_(database,
            "SELECT * FROM events WHERE number BETWEEN ?1 AND ?2 ORDER BY number LIMIT ?3") {}

void EventTable::insert(History& history, std::span<const persist::Entry> events,
                        std::int64_t now_ns, std::int64_t& last_row) {
  if (events.empty()) return;
  sqlite3_stmt* const statement = insert_.handle();
  sqlite3_bind_int64(statement, 2, history.number);
  sqlite3_bind_int64(statement, 4, now_ns);
  const Span span{events.front().sequence, last_row + 1, events.size()};
  std::size_t bytes = 0;
  for (const persist::Entry& event : events) {
    const char* content = event.content.data() == nullptr ? "" : event.content.data();
    sqlite3_bind_int64(statement, 1, ++last_row);
    sqlite3_bind_int64(statement, 3, static_cast<std::int64_t>(event.sequence));
    sqlite3_bind_int64(statement, 5, types_.number_of(event.type));
    sqlite3_bind_blob64(statement, 6, content, event.content.size(), SQLITE_STATIC);
    sqlite3_bind_int64(statement, 7,
                       entry_checksum(history.checksum, event.sequence, event.type, event.content));
    const int step = sqlite3_step(statement);
    sqlite3_reset(statement);
    if (step != SQLITE_DONE) database_.fail(step, "write");
    bytes += event.content.size();
  }
  histories_.note(history, span, now_ns, bytes);
}

bool EventTable::erase(History& history, std::uint64_t to) {
  to = std::min(to, history.last);
  if (to < history.first) return false;
  std::uint64_t indexed_bytes = 0, pending_bytes = 0;
  for (const Span& span : histories_.spans(history, history.first, to - history.first + 1)) {
    const std::uint64_t count = std::min(span.count, to + 1 - span.sequence);
    std::uint64_t sequence = span.sequence;
    Query query(erase_, span.row, span.row + static_cast<std::int64_t>(count) - 1);
    for (; query.next(); ++sequence)
      (sequence <= history.indexed_to ? indexed_bytes : pending_bytes) += query.unsigned_number(0);
  }
  histories_.note_deleted(history, to + 1, indexed_bytes, pending_bytes);
  return true;
}

std::vector<persist::StoredEntry> EventTable::read(History& history, std::uint64_t from,
                                                   persist::ReadLimit limit) {
  std::vector<persist::StoredEntry> entries;
  from = std::max(from, history.first);
  if (from > history.last) return entries;
  entries.reserve(std::min<std::uint64_t>(limit.events, history.last + 1 - from));
  const std::vector<Span> spans = histories_.spans(history, from, limit.events);
  if (spans.empty()) damaged(history, from, 0, "is missing");
  std::size_t bytes = 0;
  const std::string json = json_of(spans);
  Query query(read_, std::string_view{json});
  for (const Span& span : spans)
    for (std::uint64_t nth = 0; nth < span.count; ++nth) {
      const std::int64_t row = span.row + static_cast<std::int64_t>(nth);
      const std::uint64_t sequence = span.sequence + nth;
      if (sequence != from + entries.size() || !query.next() || query.number(0) != row)
        damaged(history, from + entries.size(), row, "is missing");
      const std::string* type = types_.name_of(query.number(4));
      const std::string_view content = query.bytes(5);
      if (query.number(1) != history.number || query.unsigned_number(2) != sequence ||
          type == nullptr ||
          entry_checksum(history.checksum, sequence, *type, content) != query.number(6))
        damaged(history, sequence, row, "is not as it was written");
      bytes += content.size();
      if (bytes > limit.bytes && !entries.empty()) return entries;
      entries.push_back({sequence, query.number(3), *type, std::string{content}});
      if (entries.size() == limit.events) return entries;
    }
  if (entries.back().sequence != history.last)
    damaged(history, from + entries.size(), 0, "is missing");
  Histories::forget_spans(history);
  return entries;
}

EventTable::Row EventTable::checked(Query& query) {
  Row row{query.number(0), query.number(1), query.unsigned_number(2), query.bytes(5).size(), {}};
  const History* history = histories_.numbered(row.id);
  const std::string* type = types_.name_of(query.number(4));
  if (history == nullptr) row.damage = "belongs to no id";
  else if (type == nullptr || entry_checksum(history->checksum, row.sequence, *type,
                                             query.bytes(5)) != query.number(6))
    row.damage = "is not as it was written";
  return row;
}

std::int64_t EventTable::read_behind(std::int64_t mark) {
  Query query(scan_, mark + 1, INT64_MAX, std::int64_t{-1});
  std::int64_t last = mark;
  while (query.next()) {
    const Row row = checked(query);
    History* history = histories_.numbered(row.id);
    if (history == nullptr) damaged(History{}, row.sequence, row.number, row.damage.c_str(), false);
    const std::uint64_t expected = history->pending.empty()
                                       ? std::max(history->indexed_to + 1, history->first)
                                       : history->pending.back().end();
    if (row.sequence != expected)
      damaged(*history, expected, row.number,
              row.damage.empty() ? "is missing" : row.damage.c_str(), false);
    // One with damaged content stands in its place, and in the way of its own id alone: read() says
    // so.
    histories_.note(*history, {row.sequence, row.number, 1}, query.number(3), row.bytes);
    last = row.number;
  }
  return last;
}

void EventTable::damaged(const History& history, std::uint64_t sequence, std::int64_t row,
                         const char* how, bool concerns_id) const {
  std::string what = "event " + std::to_string(sequence) + " of \"" + history.id +
                     "\" in the journal " + database_.path() + " " + how;
  if (row != 0) what += " (row " + std::to_string(row) + ")";
  throw Failure{{persist::Fault::damaged, what + "; restore the folder from a backup", concerns_id},
                true};
}

}  // namespace actord::journal
