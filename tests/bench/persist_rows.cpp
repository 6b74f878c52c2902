// SPDX-License-Identifier: Apache-2.0
//
// The journal beside raw SQLite: the same events into the same kind of database, in turns, and what
// it takes to read a journal again. The files lie in /var/tmp, which is a disk.
#include <sqlite3.h>
#include <sys/stat.h>

#include <numeric>
#include <string>
#include <vector>

#include "disk_folder.hpp"
#include "journal/sqlite_store.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

constexpr std::size_t content_bytes = 200;
constexpr std::int64_t some_time_ns = 1'700'000'000'123'456'789;

// What anyone would write who needs no more than rows in a database.
class RawDatabase {
 public:
  explicit RawDatabase(const std::string& path) {
    check(sqlite3_open_v2(path.c_str(), &database_,
                          SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                          nullptr) == SQLITE_OK,
          "persist: raw SQLite does not open");
    execute(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA auto_vacuum = INCREMENTAL;"
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;"
        "PRAGMA cache_size = -16384;"
        "CREATE TABLE events (number INTEGER PRIMARY KEY, id INTEGER, sequence INTEGER,"
        " content BLOB)");
    prepare("INSERT INTO events (id, sequence, content) VALUES (?1, ?2, ?3)", insert_);
    prepare("BEGIN", begin_);
    prepare("COMMIT", commit_);
  }
  RawDatabase(const RawDatabase&) = delete;
  RawDatabase& operator=(const RawDatabase&) = delete;
  ~RawDatabase() {
    for (sqlite3_stmt* each : {insert_, begin_, commit_}) sqlite3_finalize(each);
    sqlite3_close(database_);
  }

  void write(std::span<const persist::Write> group) {
    step(begin_);
    for (const persist::Write& write : group)
      for (const persist::Entry& event : write.events) {
        sqlite3_bind_int64(insert_, 1, write.id.back());
        sqlite3_bind_int64(insert_, 2, static_cast<std::int64_t>(event.sequence));
        sqlite3_bind_blob(insert_, 3, event.content.data(), static_cast<int>(event.content.size()),
                          SQLITE_STATIC);
        step(insert_);
      }
    step(commit_);
  }

 private:
  void execute(const char* sql) {
    check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK, "persist: raw SQL");
  }
  void prepare(const char* sql, sqlite3_stmt*& statement) {
    check(sqlite3_prepare_v3(database_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) ==
              SQLITE_OK,
          "persist: a raw statement");
  }
  static void step(sqlite3_stmt* statement) {
    check(sqlite3_step(statement) == SQLITE_DONE, "persist: raw SQLite does not write");
    sqlite3_reset(statement);
  }

  sqlite3* database_ = nullptr;
  sqlite3_stmt *insert_ = nullptr, *begin_ = nullptr, *commit_ = nullptr;
};

// Groups of events, for each id in turn.
class Load {
 public:
  explicit Load(std::size_t ids) : content_(content_bytes, 'e') {
    for (std::size_t i = 0; i < ids; ++i) ids_.push_back("/user/account-" + std::to_string(i));
    last_.resize(ids);
  }

  /// A group of that many events, at most four in a row for each id.
  std::span<const persist::Write> next(std::size_t events) {
    const std::size_t each = std::clamp<std::size_t>(events / ids_.size(), 1, 4);
    entries_.clear();
    writes_.clear();
    entries_.reserve(events);
    for (std::size_t left = events; left > 0;) {
      const std::size_t count = std::min(each, left), begin = entries_.size();
      for (std::size_t i = 0; i < count; ++i)
        entries_.push_back({++last_[at_], "bench.Deposited/1", content_});
      writes_.push_back({ids_[at_], {&entries_[begin], count}, {}, false, 0});
      at_ = (at_ + 1) % ids_.size();
      left -= count;
    }
    return writes_;
  }

  const std::vector<std::string>& ids() const noexcept { return ids_; }
  std::uint64_t written() const { return std::accumulate(last_.begin(), last_.end(), 0ULL); }

 private:
  std::string content_;
  std::vector<std::string> ids_;
  std::vector<std::uint64_t> last_;
  std::vector<persist::Entry> entries_;
  std::vector<persist::Write> writes_;
  std::size_t at_ = 0;
};

template <class Target>
double events_per_second(Target&& write, Load& load, std::size_t group, std::size_t groups) {
  const Stopwatch watch;
  for (std::size_t i = 0; i < groups; ++i) write(load.next(group));
  return static_cast<double>(group * groups) / watch.seconds();
}

// Seconds until a journal is open and every id has been read, for each GB of the database.
double recovery_seconds(const DiskFolder& folder, std::size_t ids, std::uint64_t events) {
  const journal::StoreOptions options{.folder = folder.at(ids == 1 ? "one" : "mixed")};
  Load load(ids);
  {
    journal::SqliteStore store(options);
    while (load.written() < events)
      check(store.write(load.next(2048), some_time_ns).ok(), "persist: a group");
  }
  const Stopwatch watch;
  journal::SqliteStore store(options);
  std::uint64_t read = 0;
  for (const std::string& id : load.ids()) {
    const auto beginning = store.look(id);
    check(beginning.ok(), "persist: a beginning");
    for (std::uint64_t from = 1; from <= beginning->last_sequence;) {
      const auto page = store.read(id, from, {});
      check(page.ok() && !page->empty() && page->front().content.size() == content_bytes,
            "persist: an event is not as it was written");
      from += page->size();
      read += page->size();
    }
  }
  const double seconds = watch.seconds();
  check(read == load.written(), "persist: not all events are there");
  return seconds / (static_cast<double>(store.status().bytes) / 1e9);
}

}  // namespace

Figures run_persist(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    constexpr std::size_t ids = 1'000;
    const std::size_t rounds = is_warm_up ? 1 : 9;
    const DiskFolder folder;
    Figures figures;
    for (const std::size_t group : {1, 32, 256, 2048}) {
      const std::string name = std::to_string(group);
      RawDatabase raw(folder.at(("raw" + name).c_str()));
      journal::SqliteStore store({.folder = folder.at(("journal" + name).c_str())});
      Load raw_load(ids), load(ids);
      // Until each id is known, and both logs have their full size: a sync takes longer before.
      for (int i = 0; i < (is_warm_up ? 1 : 50); ++i) {
        raw.write(raw_load.next(2048));
        check(store.write(load.next(2048), some_time_ns).ok(), "persist: the first groups");
      }
      const std::size_t groups = is_warm_up ? 2 : group == 2048 ? 40 : group == 256 ? 80 : 200;
      std::vector<double> raws, ours, ratios;
      for (std::size_t i = 0; i < rounds; ++i) {
        const auto measure_raw = [&] {
          raws.push_back(
              events_per_second([&](auto writes) { raw.write(writes); }, raw_load, group, groups));
        };
        const auto measure_ours = [&] {
          ours.push_back(events_per_second(
              [&](auto writes) {
                check(store.write(writes, some_time_ns).ok(), "persist: a group");
              },
              load, group, groups));
        };
        i % 2 == 0 ? measure_raw() : measure_ours();
        i % 2 == 0 ? measure_ours() : measure_raw();
        ratios.push_back(ours.back() / raws.back());
      }
      figures.push_back({"persist_" + name, median(std::move(ours)), "events/s"});
      figures.push_back({"persist_raw_" + name, median(std::move(raws)), "events/s"});
      figures.push_back({"persist_ratio_" + name, median(std::move(ratios)), "x"});
    }
    return figures;
  });
}

Figures run_persist_recovery(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const DiskFolder folder;
    const std::uint64_t events = is_warm_up ? 20'000 : 2'000'000;
    return {{"persist_recovery_one", recovery_seconds(folder, 1, events), "s/GB"},
            {"persist_recovery_mixed", recovery_seconds(folder, 1'000, events), "s/GB"}};
  });
}

}  // namespace actord::bench
