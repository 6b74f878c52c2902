// SPDX-License-Identifier: Apache-2.0
#include "journal/sqlite_store.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "os/files.hpp"

namespace actord::journal {

namespace {

using persist::DropStep;
using persist::Fault;
using persist::StoreResult;

// So that a start has little to read.
constexpr std::size_t index_every_bytes = std::size_t{64} << 20;
constexpr const char* accept_loss = "start once with --accept-journal-loss";

Failure failure_of(const os::SystemError& error) {
  Fault fault = Fault::io;
  if (error.number == ENOSPC || error.number == EDQUOT) fault = Fault::full;
  if (error.number == EROFS) fault = Fault::read_only;
  return {{fault, error.what}};
}

std::uint64_t size_of(const std::string& path) {
  const auto facts = os::facts_of(path);
  return facts ? facts->size : 0;
}

Failure gap(std::string_view id, std::string what) {
  return {
      {Fault::gap,
       std::move(what) + " of \"" + std::string{id} + "\"; end the other writer of this id", true},
      true};
}

}  // namespace

SqliteStore::SqliteStore(StoreOptions options)
    : options_(std::move(options)),
      folder_{options_.folder},
      boot_(this_boot()),
      reserve_(folder_.reserve(), options_.reserve_bytes) {}

SqliteStore::~SqliteStore() {
  if (!session_) return;
  (void)attempt<bool>([&] {
    if (session_->histories.unindexed() > 0) session_->index();
    checkpoint(*session_);
    return true;
  });
}

template <class T>
StoreResult<T> SqliteStore::attempt(const std::function<T()>& call) {
  try {
    T value = call();
    error_.reset();
    return value;
  } catch (const Failure& failure) {
    end(failure);
    if (!failure.error.concerns_id) error_ = failure.error;
    return failure.error;
  }
}

void SqliteStore::end(const Failure& failure) {
  if (failure.is_usable) return;
  session_.reset();
  if (failure.error.fault != Fault::full) {
    must_checkpoint_ = true;
    return;
  }
  is_full_ = true;
  reserve_.release();
  // A log for which there is no room would take the room of the last snapshots.
  if (size_of(folder_.write_ahead_log()) > reserve_.bytes()) return;
  try {
    checkpoint(session(), true);
  } catch (const Failure&) {
    session_.reset();  // the write-ahead log stays as it is
  }
}

void SqliteStore::checkpoint(Session& session, bool gives_back) {
  // After a failed sync nothing of the file may be relied on, so that it must begin empty.
  session.checkpoint(gives_back || must_checkpoint_);
  must_checkpoint_ = false;
}

Session& SqliteStore::session() {
  if (session_) {
    session_->histories.shrink();
    return *session_;
  }
  if (auto ready = folder_.prepare(options_.vfs.empty()); !ready) throw failure_of(ready.error());
  if (!acknowledged_file_) {
    auto file = AcknowledgedFile::open(folder_.acknowledged());
    if (!file) throw failure_of(file.error());
    acknowledged_file_.emplace(std::move(file).value());
  }
  auto session =
      std::make_unique<Session>(folder_.database(), options_.vfs, options_.survives_power_loss);
  compare_with_acknowledged(*session);
  opened_.is_new = session->is_new();
  opened_.last_row = session->last_row();
  if (!is_full_) is_full_ = !reserve_.take();
  session_ = std::move(session);
  return *session_;
}

void SqliteStore::compare_with_acknowledged(Session& session) {
  const auto record = acknowledged_file_->read();
  const std::int64_t acknowledged = std::max(acknowledged_, record ? record->last_row : 0);
  const bool is_other = record && record->identity != session.identity() && acknowledged > 0;
  const bool is_short = session.last_row() < acknowledged;
  if (!is_other && !is_short) return;
  std::string what = "the journal " + folder_.database();
  if (is_other) what += session.last_row() == 0 ? " is gone" : " was replaced by another one";
  else what += " has lost its end";
  what += ": " + std::to_string(acknowledged) + " rows were acknowledged (" +
          folder_.acknowledged() + "), " + std::to_string(session.last_row()) + " are there";
  // After a loss of power that is what this durability says. Within this process it never is.
  const bool is_expected =
      !options_.survives_power_loss && is_short && !is_other && record->boot != boot_;
  if (acknowledged_ != 0 || (!options_.accepts_loss && !is_expected))
    throw Failure{{Fault::damaged, what + "; restore the folder from a backup, or " + accept_loss +
                                       " to go on without the rest"}};
  opened_.lost_rows = std::max<std::int64_t>(0, acknowledged - session.last_row());
  opened_.notice = std::move(what);
  acknowledged_file_->write({session.identity(), session.last_row(), boot_});
}

// Without that file, a journal that loses its end could not be told from one that does not.
void SqliteStore::check_acknowledged(const Session& session, Verification& verification) const {
  if (acknowledged_ == 0) return;  // nothing was written since the start: it was compared then
  const auto record = acknowledged_file_->read();
  const std::string rows = std::to_string(session.last_row()) + " rows are there";
  if (!record) verification.damage(folder_.acknowledged() + " is not as it was written; " + rows);
  else if (record->identity != session.identity() || record->last_row != session.last_row())
    verification.damage(folder_.acknowledged() + " says that " + std::to_string(record->last_row) +
                        " rows were acknowledged; " + rows);
}

StoreResult<Opened> SqliteStore::open() {
  return attempt<Opened>([&] { return session(), opened_; });
}

// Checks the whole group before anything of it is written, and finds its histories.
void SqliteStore::check(Session& session, std::span<const persist::Write> group) {
  ++group_;
  histories_.clear();
  for (const persist::Write& write : group) {
    History& history = session.histories.at(write.id);
    histories_.push_back(&history);
    if (std::exchange(history.planned_in, group_) != group_) history.planned = history.last;
    for (const persist::Entry& event : write.events)
      if (event.sequence != ++history.planned)
        throw gap(write.id, "event " + std::to_string(event.sequence) +
                                " was to be written as event " + std::to_string(history.planned));
    if (write.snapshot && write.snapshot->sequence > history.planned)
      throw gap(write.id, "a snapshot at event " + std::to_string(write.snapshot->sequence) +
                              " was to be written behind event " + std::to_string(history.planned));
  }
}

Failure SqliteStore::full() const {
  return {{Fault::full, "the journal " + folder_.database() + " is full: make room for " +
                            std::to_string(reserve_.bytes() >> 20) +
                            " MiB on this file system, and it goes on by itself"},
          true};
}

void SqliteStore::make_ready(Session& session, std::span<const persist::Write> group) {
  const bool has_events = std::any_of(group.begin(), group.end(),
                                      [](const auto& each) { return !each.events.empty(); });
  if (is_full_ && has_events) {
    if (!reserve_.take()) throw full();
    is_full_ = false;
  }
  if (must_checkpoint_) checkpoint(session);
  if (session.histories.unindexed() >= options_.index_every ||
      session.histories.unindexed_bytes() >= index_every_bytes)
    session.index();
}

void SqliteStore::acknowledge(Session& session) {
  acknowledged_ = session.last_row();
  // Without it the end of the journal is only watched less closely.
  acknowledged_file_->write({session.identity(), acknowledged_, boot_});
}

StoreResult<void> SqliteStore::write(std::span<const persist::Write> group, std::int64_t now_ns) {
  const auto written = attempt<bool>([&] {
    Session& open = session();
    check(open, group);
    make_ready(open, group);
    open.begin();
    for (std::size_t i = 0; i < group.size(); ++i)
      open.write(*histories_[i], group[i], now_ns, options_.keep_snapshots);
    open.commit();
    for (std::size_t i = 0; i < group.size(); ++i)
      if (group[i].snapshot)
        histories_[i]->covered = std::max(histories_[i]->covered, group[i].snapshot->sequence);
    acknowledge(open);
    return true;
  });
  if (!written) return written.error();
  // If this fails, the next call opens the journal again; the group is written.
  (void)attempt<bool>([&] { return session_->bound_log(options_.log_pages), true; });
  return {};
}

StoreResult<persist::Beginning> SqliteStore::look(std::string_view id) {
  return attempt<persist::Beginning>([&] {
    Session& open = session();
    persist::Beginning beginning;
    const History* history = open.histories.find(id);
    if (history == nullptr) {
      beginning.last_sequence = beginning.dropped_to = open.histories.dropped_to(id);
      return beginning;
    }
    beginning.last_sequence = history->last;
    beginning.dropped_to = history->dropped_to;
    SnapshotTable::Found found = open.snapshots.newest(*history);
    const std::uint64_t covered = found.snapshot ? found.snapshot->sequence : 0;
    const std::uint64_t behind = found.snapshot ? covered : history->dropped_to;
    if (behind + 1 < history->first && !history->is_newest_only)
      throw Failure{
          {Fault::damaged,
           "\"" + history->id + "\" cannot be recovered: its events up to " +
               std::to_string(history->first - 1) + " are deleted, and " +
               (found.passed_over.empty() ? "no snapshot covers them" : found.passed_over) +
               "; restore the folder from a backup",
           true},
          true};
    beginning.snapshot = std::move(found.snapshot);
    beginning.passed_over = std::move(found.passed_over);
    return beginning;
  });
}

StoreResult<std::vector<persist::StoredEntry>> SqliteStore::read(std::string_view id,
                                                                 std::uint64_t from,
                                                                 persist::ReadLimit limit) {
  return attempt<std::vector<persist::StoredEntry>>([&] {
    Session& open = session();
    History* history = open.histories.find(id);
    if (history == nullptr || limit.events == 0) return std::vector<persist::StoredEntry>{};
    return open.events.read(*history, from, limit);
  });
}

StoreResult<std::vector<persist::IdFacts>> SqliteStore::list(std::string_view after,
                                                             std::size_t limit) {
  return attempt<std::vector<persist::IdFacts>>([&] {
    Session& open = session();
    std::vector<persist::IdFacts> listed;
    for (const History* each : open.histories.list(after, limit))
      listed.push_back({each->id, each->first, each->last,
                        each->indexed_bytes + each->pending_bytes, open.snapshots.count(*each),
                        each->written_ns, each->covered});
    return listed;
  });
}

StoreResult<std::vector<persist::StoredEntry>> SqliteStore::samples(std::size_t limit) {
  return attempt<std::vector<persist::StoredEntry>>([&] { return session().samples(limit); });
}

StoreResult<DropStep> SqliteStore::drop(std::string_view id) {
  return attempt<DropStep>([&] {
    Session& open = session();
    History* history = open.histories.find(id);
    if (history == nullptr || history->number == 0) return DropStep::nothing;
    make_ready(open, {});
    open.begin();
    const bool is_done = open.drop_some(*history);
    open.commit();
    return is_done ? DropStep::done : DropStep::more;
  });
}

StoreResult<bool> SqliteStore::verify(Verification& verification, std::size_t rows) {
  return attempt<bool>([&] {
    Session& open = session();
    if (!verification.has_begun()) check_acknowledged(open, verification);
    return verification.step(open, rows);
  });
}

StoreResult<bool> SqliteStore::tidy_up() {
  return attempt<bool>([&] {
    Session& open = session();
    if (is_full_) {
      if (!reserve_.take()) throw full();
      is_full_ = false;
    }
    if (must_checkpoint_) checkpoint(open);
    if (open.delete_late()) return true;
    checkpoint(open);
    return false;
  });
}

StoreResult<void> SqliteStore::tune(const persist::StoreTuning& wanted) {
  options_.keep_snapshots = wanted.keep_snapshots;
  const bool is_same = options_.survives_power_loss == wanted.survives_power_loss;
  options_.survives_power_loss = wanted.survives_power_loss;
  if (is_same || !session_) return {};
  const auto done = attempt<bool>([&] {
    session().set_durability(options_.survives_power_loss);
    // What was acknowledged before is as durable from now on: a checkpoint syncs it.
    checkpoint(session());
    return true;
  });
  if (!done) return done.error();
  return {};
}

StoreResult<std::int64_t> SqliteStore::compact(std::int64_t pages) {
  return attempt<std::int64_t>([&] {
    Session& open = session();
    if (must_checkpoint_) checkpoint(open);
    const std::int64_t left = open.give_back(pages);
    checkpoint(open, true);
    return left;
  });
}

persist::StoreStatus SqliteStore::status() const {
  persist::StoreStatus status;
  status.path = folder_.database();
  status.bytes = size_of(folder_.database());
  status.log_bytes = size_of(folder_.write_ahead_log());
  status.last_row = session_ ? session_->last_row() : acknowledged_;
  status.reserve_bytes = reserve_.is_taken() ? reserve_.bytes() : 0;
  status.is_full = is_full_;
  status.error = is_full_ ? full().error : error_;
  return status;
}

}  // namespace actord::journal
