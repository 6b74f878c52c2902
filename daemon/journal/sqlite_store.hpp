// SPDX-License-Identifier: Apache-2.0
//
// The journal of the daemon: events and snapshots in an SQLite database, one transaction and one
// fsync for each group.
//
// Errors: what the medium refuses ends the session with the database. The next call opens it
// again, compares its end with what was acknowledged, and writes the write-ahead log into the
// database before it adds to it: a failed fsync is not tried again, because the kernel may have
// dropped what it was to write. If the disk is full, a reserve is released for that, and events are
// refused until there is room for the reserve again; groups without events are tried, because
// snapshots and deletions are what makes room.
//
// Threads: that of /system/journal. Every function blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "journal/acknowledged_file.hpp"
#include "journal/journal_folder.hpp"
#include "journal/reserve_file.hpp"
#include "journal/session.hpp"
#include "journal/verification.hpp"
#include "persist/store.hpp"

namespace actord::journal {

struct StoreOptions {
  std::string folder;               // absolute; created if it is missing
  bool survives_power_loss = true;  // false: only the end of the process
  std::size_t keep_snapshots = 2;   // of each id
  /// A journal that has lost its end is opened with what is there, once.
  bool accepts_loss = false;

  std::size_t reserve_bytes = std::size_t{16} << 20;
  int log_pages = 3'800;              // of 4 KiB: with one more group it fits into the reserve
  std::size_t index_every = 131'072;  // events
  std::string vfs = {};               // of SQLite; empty: the usual one
};

/// What open() has found.
struct Opened {
  bool is_new = false;
  std::int64_t last_row = 0;
  std::int64_t lost_rows = 0;  // that were acknowledged, and are accepted as lost
  std::string notice;          // one sentence about that; empty: there is none
};

class SqliteStore final : public persist::Store {
 public:
  explicit SqliteStore(StoreOptions options);
  /// Writes the index and the write-ahead log into the database, if that works.
  ~SqliteStore() override;

  /// Opens the journal, which the first call of another function does, too.
  persist::StoreResult<Opened> open();

  persist::StoreResult<void> write(std::span<const persist::Write> group,
                                   std::int64_t now_ns) override;
  persist::StoreResult<persist::Beginning> look(std::string_view id) override;
  persist::StoreResult<std::vector<persist::StoredEntry>> read(std::string_view id,
                                                               std::uint64_t from,
                                                               persist::ReadLimit limit) override;

  persist::StoreResult<std::vector<persist::IdFacts>> list(std::string_view after,
                                                           std::size_t limit) override;
  persist::StoreResult<std::vector<persist::StoredEntry>> samples(std::size_t limit) override;
  persist::StoreResult<persist::DropStep> drop(std::string_view id) override;
  /// Deletes events that were to be deleted in a group, and were too many for it; then writes the
  /// write-ahead log into the database. If the disk was full, it looks whether there is room again.
  persist::StoreResult<bool> tidy_up() override;
  persist::StoreResult<void> tune(const persist::StoreTuning& wanted) override;

  /// One more step of a check, with `rows` events at most. False: that was the last.
  persist::StoreResult<bool> verify(Verification& verification, std::size_t rows);
  /// The same as tidy_up(), and gives the log and up to `pages` free pages back to the file system.
  /// Returns how many pages are left.
  persist::StoreResult<std::int64_t> compact(std::int64_t pages);
  persist::StoreStatus status() const override;

 private:
  template <class T>
  persist::StoreResult<T> attempt(const std::function<T()>& call);
  /// What a failure of the medium takes.
  void end(const Failure& failure);
  void checkpoint(Session& session, bool gives_back = false);
  Session& session();
  void compare_with_acknowledged(Session& session);
  void make_ready(Session& session, std::span<const persist::Write> group);
  void check(Session& session, std::span<const persist::Write> group);
  void check_acknowledged(const Session& session, Verification& verification) const;
  void acknowledge(Session& session);
  Failure full() const;

  StoreOptions options_;
  JournalFolder folder_;
  std::uint64_t boot_;
  ReserveFile reserve_;
  std::optional<AcknowledgedFile> acknowledged_file_;
  std::unique_ptr<Session> session_;
  Opened opened_;
  std::int64_t acknowledged_ = 0;  // the last row
  bool is_full_ = false;
  /// Before a group is written: what is in the write-ahead log may be in memory only, because a
  /// sync has failed in this process or in the one before.
  bool must_checkpoint_ = true;
  std::uint64_t group_ = 0;          // a number for each call of write()
  std::vector<History*> histories_;  // of the group
  std::optional<persist::StoreError> error_;
};

}  // namespace actord::journal
