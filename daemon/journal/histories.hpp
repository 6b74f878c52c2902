// SPDX-License-Identifier: Apache-2.0
//
// What the journal knows of each id: how far its events go, and in which rows they lie.
//
// Events stand in the order in which they were written, those of all ids mixed, because that is
// what a disk writes fastest: an index on (id, sequence) would touch a page for each event. Where
// the events of an id lie is therefore kept in memory, and every `index_every` events it is written
// to the tables `ids` and `runs`, for all ids at once. After a start the events behind that mark
// are read once. The runs of an id are a chain from the newest to the oldest, so that a table of
// them only grows at its end, too.
//
// Threads: those of SqliteStore.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "journal/checksum.hpp"
#include "journal/database.hpp"
#include "journal/run_codec.hpp"

namespace actord::journal {

struct History {
  /// What the runs say; read when it is needed.
  struct Indexed {
    struct Run {
      std::int64_t number = 0;
      std::uint64_t last = 0;  // sequence
    };
    std::vector<Span> spans;  // in order; they may begin behind the first event
    std::vector<Run> runs;    // oldest first
  };

  std::string id;
  Checksum checksum;             // with the id added
  std::int64_t number = 0;       // in the tables; 0: not there yet
  std::uint64_t first = 1;       // the first event that is there
  std::uint64_t last = 0;        // the last event that was written
  std::uint64_t indexed_to = 0;  // the last event that the runs have
  std::int64_t last_run = 0;     // 0: there is none
  std::uint64_t covered = 0;     // by the newest snapshot of the groups before
  std::uint64_t dropped_to = 0;  // the last event when all was dropped; 0: that has not been
  std::int64_t written_ns = 0;   // when the last event was
  std::uint64_t indexed_bytes = 0, pending_bytes = 0;  // of content
  bool is_newest_only = false;  // events before the last were deleted without a snapshot
  bool is_dirty = false;        // the row in `ids` is older
  std::uint64_t planned = 0;    // the last event with those of group `planned_in`
  std::uint64_t planned_in = 0;
  std::vector<Span> pending;  // events behind `indexed_to`
  std::unique_ptr<Indexed> indexed;
};

class Histories {
 public:
  explicit Histories(Database& database);

  /// Null: there is nothing of that id. The pointer is valid until index() or shrink().
  History* find(std::string_view id);
  /// The same; a new one if there is nothing.
  History& at(std::string_view id);
  /// By the number in the tables; null: there is no such row.
  History* numbered(std::int64_t number);

  /// Gives a new id its row. Throws Failure, as do all below.
  void insert(History& history);
  /// Notes events that have been inserted in successive rows.
  void note(History& history, const Span& events, std::int64_t written_ns, std::size_t bytes);
  /// Notes that the events before `first` have been deleted, in the tables, too.
  void note_deleted(History& history, std::uint64_t first, std::uint64_t indexed_bytes,
                    std::uint64_t pending_bytes);
  /// Where the events from that one on lie, as far as spans with `enough` events go.
  std::vector<Span> spans(History& history, std::uint64_t from, std::uint64_t enough = UINT64_MAX);
  /// What spans() has read is not needed for now.
  static void forget_spans(History& history) noexcept { history.indexed.reset(); }

  /// Writes what has changed since the last time, in the transaction of the caller.
  void index();
  /// What a start would have to read: events, and the bytes of their content.
  std::size_t unindexed() const noexcept { return unindexed_; }
  std::size_t unindexed_bytes() const noexcept { return unindexed_bytes_; }
  /// Removes all of an id but its events and snapshots, and remembers how far the events went.
  void drop(History& history);
  /// The last event of an id when all of it was dropped; 0: that has not been.
  std::uint64_t dropped_to(std::string_view id);
  /// Bounds the memory: forgets ids that have not changed, if there are many.
  void shrink();

  /// Ids behind `after` in the order of their bytes.
  std::vector<History*> list(std::string_view after, std::size_t limit);

 private:
  using ById = std::unordered_map<std::string_view, std::unique_ptr<History>>;

  History& keep(std::unique_ptr<History> history);
  History* read(Query& query);
  // Where what was dropped is remembered. A journal of an actord that did not do that has no table
  // for it until something is dropped: to open a journal writes nothing.
  void prepare_dropped();
  void load_runs(History& history, std::uint64_t from);
  void change(History& history);

  Database& database_;
  Statement by_id_, by_number_, insert_, update_, delete_, page_, run_, insert_run_, delete_run_,
      covered_;
  std::unique_ptr<Statement> dropped_, note_dropped_;  // null: there is no such table yet
  ById by_id_cache_;
  std::unordered_map<std::int64_t, History*> by_number_cache_;
  std::vector<History*> dirty_;
  std::size_t unindexed_ = 0, unindexed_bytes_ = 0;
};

}  // namespace actord::journal
