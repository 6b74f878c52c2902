// SPDX-License-Identifier: Apache-2.0
//
// The open database with all that is known of it. After a failure of the medium the session ends,
// and what the next one knows it has read again.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "journal/database.hpp"
#include "journal/event_table.hpp"
#include "journal/histories.hpp"
#include "journal/snapshot_table.hpp"

namespace actord::journal {

class Session {
 public:
  /// Opens or creates the database. Throws Failure, as do all below.
  Session(const std::string& path, const std::string& vfs, bool survives_power_loss);

  /// A number that this database has from its beginning.
  std::int64_t identity() const noexcept { return identity_; }
  bool is_new() const noexcept { return is_new_; }
  /// The last row of events and snapshots.
  std::int64_t last_row() const noexcept { return last_row_; }

  /// Writes the whole write-ahead log into the database, so that the next group begins the log
  /// anew. The file keeps its size, because a sync takes twice as long where a file grows, unless
  /// `gives_back` is set.
  void checkpoint(bool gives_back = false);
  /// Writes it into the database if it has that many pages. SQLite would do that by itself, but
  /// would not say that it fails, and the log would grow until the reserve is too small for it.
  void bound_log(int pages);

  void begin() { run(begin_); }
  void commit() { run(commit_); }
  /// All that a group asks for one id, in the caller's transaction.
  void write(History& history, const persist::Write& write, std::int64_t now_ns, std::size_t keep);
  /// Deletes events of an id, and with the last of them all else, in the caller's transaction.
  /// False: there are more.
  bool drop_some(History& history);
  /// What is committed outlives a loss of power, or only the end of the process.
  void set_durability(bool survives_power_loss);
  /// Deletes some of the events that write() has left, in a transaction of its own. False: there
  /// are none.
  bool delete_late();
  /// Writes where the events lie, in a transaction of its own.
  void index();
  /// An entry of each type among the newest `limit` rows.
  std::vector<persist::StoredEntry> samples(std::size_t limit);
  /// Gives free pages back to the file system, `pages` at most; returns how many are left.
  std::int64_t give_back(std::int64_t pages);

 private:
  /// Creates the tables in an empty database. False: there were some.
  bool prepare(bool survives_power_loss);
  void note_last_row() { run(note_last_row_, last_row_); }

 public:
  Database database;

 private:
  bool is_new_;

 public:
  Histories histories;
  TypeNames types;
  EventTable events;
  SnapshotTable snapshots;

 private:
  Statement begin_, commit_, mark_, note_last_row_;
  std::int64_t identity_ = 0, last_row_ = 0;
  int log_pages_ = 0;
  std::map<std::string, std::uint64_t> late_;  // ids, and the last event to be deleted of each
};

}  // namespace actord::journal
