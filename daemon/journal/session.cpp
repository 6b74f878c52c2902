// SPDX-License-Identifier: Apache-2.0
#include "journal/session.hpp"

#include <algorithm>

namespace actord::journal {

namespace {

constexpr std::int64_t schema_version = 1;
// So many events of one id are deleted in one transaction, so that a group does not wait for the
// deletion of a long history.
constexpr std::uint64_t deleted_at_once = 4096;

// `journal` has one row: `mark` is the last row that the runs have; `last_row` counts if the last
// row was deleted. Events and snapshots share one count of rows, so that it grows with each group
// that writes any.
constexpr const char* tables = R"(
CREATE TABLE journal (identity INTEGER NOT NULL, mark INTEGER NOT NULL, last_row INTEGER NOT NULL);
CREATE TABLE types (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE ids (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  first_sequence INTEGER NOT NULL DEFAULT 1, last_sequence INTEGER NOT NULL DEFAULT 0,
  indexed_to INTEGER NOT NULL DEFAULT 0, last_run INTEGER NOT NULL DEFAULT 0,
  written_ns INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
  newest_only INTEGER NOT NULL DEFAULT 0);
CREATE TABLE events (
  number INTEGER PRIMARY KEY, id INTEGER NOT NULL, sequence INTEGER NOT NULL,
  written_ns INTEGER NOT NULL, type INTEGER NOT NULL, content BLOB NOT NULL,
  crc INTEGER NOT NULL);
CREATE TABLE runs (
  number INTEGER PRIMARY KEY, id INTEGER NOT NULL, first_sequence INTEGER NOT NULL,
  previous INTEGER NOT NULL, spans BLOB NOT NULL);
CREATE TABLE snapshots (
  number INTEGER PRIMARY KEY, id INTEGER NOT NULL, sequence INTEGER NOT NULL,
  written_ns INTEGER NOT NULL, type INTEGER NOT NULL, content BLOB NOT NULL,
  crc INTEGER NOT NULL);
CREATE UNIQUE INDEX snapshots_by_id ON snapshots (id, sequence);
INSERT INTO journal VALUES (random(), 0, 0);
PRAGMA user_version = 1;
)";

}  // namespace

Session::Session(const std::string& path, const std::string& vfs, bool survives_power_loss)
    : database(path, vfs),
      is_new_(prepare(survives_power_loss)),
      histories(database),
      types(database),
      events(database, types, histories),
      snapshots(database, types),
      begin_(database, "BEGIN IMMEDIATE"),
      commit_(database, "COMMIT"),
      mark_(database, "UPDATE journal SET mark = ?1, last_row = ?1"),
      note_last_row_(database, "UPDATE journal SET last_row = ?1") {
  sqlite3_wal_hook(
      database.handle(),
      [](void* to, sqlite3*, const char*, int pages) {
        return *static_cast<int*>(to) = pages, SQLITE_OK;
      },
      &log_pages_);
  identity_ = database.ask_number("SELECT identity FROM journal");
  last_row_ = std::max({database.ask_number("SELECT last_row FROM journal"),
                        database.ask_number("SELECT max(number) FROM snapshots"),
                        events.read_behind(database.ask_number("SELECT mark FROM journal"))});
}

bool Session::prepare(bool survives_power_loss) {
  // Exclusive before anything else: the write-ahead log then needs no shared memory, and a second
  // process is refused.
  database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA auto_vacuum = INCREMENTAL;");
  if (database.ask("PRAGMA journal_mode = WAL") != "wal")
    throw Failure{{persist::Fault::io, "the journal " + database.path() +
                                           " cannot have a write-ahead log here; put it on a "
                                           "local file system (actord.persistence.journal.path)"}};
  set_durability(survives_power_loss);
  database.execute(
      "PRAGMA wal_autocheckpoint = 0; PRAGMA mmap_size = 0; PRAGMA cache_size = -16384;"
      "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;");
  const std::int64_t version = database.ask_number("PRAGMA user_version");
  if (version > schema_version)
    throw Failure{{persist::Fault::damaged, "the journal " + database.path() +
                                                " was written by a newer actord (its version "
                                                "is " +
                                                std::to_string(version) + ", this one knows " +
                                                std::to_string(schema_version) +
                                                "); start that one"}};
  if (version == schema_version) return false;
  if (database.ask_number("SELECT count(*) FROM sqlite_schema") != 0)
    throw Failure{{persist::Fault::damaged,
                   database.path() + " is a database of another program; move it away, or set "
                                     "another actord.persistence.journal.path"}};
  database.execute("BEGIN IMMEDIATE");
  database.execute(tables);
  database.execute("COMMIT");
  return true;
}

void Session::set_durability(bool survives_power_loss) {
  database.execute(survives_power_loss ? "PRAGMA synchronous = FULL"
                                       : "PRAGMA synchronous = NORMAL");
}

void Session::checkpoint(bool gives_back) {
  const int result = sqlite3_wal_checkpoint_v2(
      database.handle(), nullptr,
      gives_back ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_RESTART, nullptr, nullptr);
  if (result != SQLITE_OK) database.fail(result, "write");
  log_pages_ = 0;
}

void Session::bound_log(int pages) {
  if (log_pages_ < pages) return;
  const int result = sqlite3_wal_checkpoint_v2(database.handle(), nullptr,
                                               SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  if (result != SQLITE_OK) database.fail(result, "write");
}

void Session::write(History& history, const persist::Write& write, std::int64_t now_ns,
                    std::size_t keep) {
  if (history.number == 0) histories.insert(history);
  events.insert(history, write.events, now_ns, last_row_);
  if (write.snapshot) snapshots.insert(history, *write.snapshot, now_ns, ++last_row_, keep);
  std::uint64_t delete_to = std::min(write.delete_to, history.covered);
  if (delete_to >= history.first + deleted_at_once) {
    late_[history.id] = delete_to;
    delete_to = history.first + deleted_at_once - 1;
  }
  if (write.is_newest_only && !write.events.empty()) {
    delete_to = std::max(delete_to, write.events.back().sequence - 1);
    history.is_newest_only = true;
  }
  if (delete_to != 0 && events.erase(history, delete_to)) note_last_row();
}

bool Session::delete_late() {
  if (late_.empty()) return false;
  const auto next = late_.begin();
  History* const history = histories.find(next->first);
  if (history != nullptr && history->first <= next->second) {
    const std::uint64_t to = std::min(next->second, history->first + deleted_at_once - 1);
    begin();
    events.erase(*history, to);
    note_last_row();
    commit();
    if (to < next->second) return true;
  }
  late_.erase(next);
  return true;
}

bool Session::drop_some(History& history) {
  late_.erase(history.id);
  const bool is_last = history.last < history.first + deleted_at_once;
  events.erase(history, is_last ? history.last : history.first + deleted_at_once - 1);
  if (is_last) {
    snapshots.drop(history);
    histories.drop(history);
  }
  note_last_row();
  return is_last;
}

void Session::index() {
  begin();
  histories.index();
  run(mark_, last_row_);
  commit();
}

std::int64_t Session::give_back(std::int64_t pages) {
  const std::string sql = "PRAGMA incremental_vacuum(" + std::to_string(pages) + ")";
  Statement vacuum(database, sql.c_str());
  run(vacuum);
  return database.ask_number("PRAGMA freelist_count");
}

std::vector<persist::StoredEntry> Session::samples(std::size_t limit) {
  // Events and snapshots are numbered together.
  Statement newest(database,
                   "SELECT sequence, written_ns, type, content FROM events WHERE number > ?1 "
                   "UNION ALL "
                   "SELECT sequence, written_ns, type, content FROM snapshots WHERE number > ?1");
  Query query(newest, last_row_ - static_cast<std::int64_t>(limit));
  std::map<std::int64_t, persist::StoredEntry> by_type;
  while (query.next()) {
    const std::int64_t type = query.number(2);
    const std::string* const name = types.name_of(type);
    if (name == nullptr || by_type.contains(type)) continue;
    by_type.emplace(type, persist::StoredEntry{query.unsigned_number(0), query.number(1), *name,
                                               std::string{query.bytes(3)}});
  }
  std::vector<persist::StoredEntry> samples;
  for (auto& [type, entry] : by_type) samples.push_back(std::move(entry));
  return samples;
}

}  // namespace actord::journal
