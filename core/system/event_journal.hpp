// SPDX-License-Identifier: Apache-2.0
//
// The journal of a system: takes the requests of persistent actors and lets /system/journal carry
// them out, a group at a time. Whatever has come while one group was written is the next one, so
// that many writers share the wait for the medium, and a single one waits for no other.
//
// Writes and recoveries take turns: what has been persisted is written, then some recoveries go on.
// A read so sees all that was written before it was asked for.
//
// Not here: the database (persist::Store).
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "actor/journal.hpp"
#include "base/sync.hpp"
#include "message/message_type.hpp"
#include "system/journal_task.hpp"

namespace actord::system {

class ActorSystem;

struct JournalSettings {
  using OpenStore = std::function<persist::StoreResult<std::shared_ptr<persist::Store>>()>;

  OpenStore open_store;                  // called for the first request; null: there is no journal
  std::function<std::int64_t()> now_ns;  // since 1970; null: the clock of the executor
  /// After so long without a request the store tidies up; 0: never.
  std::int64_t tidy_after_ns = 0;
};

/// Settings of the journal that can be changed while the system runs.
struct LiveJournalSettings {
  std::int64_t recovery_timeout_ns = 30'000'000'000;
  std::size_t recovering_max = 64;   // actors that recover at once, but for small ones
  std::uint64_t snapshot_every = 0;  // events; 0: never
  bool deletes_events = false;       // those that an older snapshot has
  std::size_t group_events_max = 2048;
  std::size_t group_bytes_max = std::size_t{1} << 20;
  persist::StoreTuning store = {};
  std::size_t small_recovery_bytes = std::size_t{16} << 10;  // of events and snapshot; 0: none is
};

/// What the journal does and has done so far.
struct JournalReport {
  bool is_open = false;                      // false: no actor has needed it yet
  std::optional<persist::StoreError> fault;  // of the last request, if it has failed
  std::uint64_t groups = 0, events = 0, bytes = 0, snapshots = 0;  // written
  std::uint64_t failed_groups = 0;
  std::int64_t writing_ns = 0;                 // spent on the groups that were written
  std::size_t largest_group = 0;               // events
  std::uint64_t replayed = 0;                  // events
  std::size_t writers = 0;                     // actors that have recovered, or are about to
  std::size_t recovering = 0, to_recover = 0;  // those that do; those that wait for their turn
  std::size_t recovering_most = 0;             // at once, so far
  persist::StoreStatus store = {};             // as of some moments ago
};

class Journal final : public actor::Journal {
 public:
  /// The types of the builtin plugin are registered.
  Journal(ActorSystem& system, JournalSettings wanted);

  // ---- any thread ----
  void submit(actor::ThreadState& thread, actor::JournalRequestPtr request) override;
  void set_live(const LiveJournalSettings& live);
  JournalReport report() const;
  /// Work by hand, in turn with that of others. The store is opened for it if it is not yet.
  void perform(std::shared_ptr<JournalTask> task);

  // ---- /system/journal, in its turns ----
  /// It begins, and is about to call work(). From then on it is told when there is something to do.
  void attach(actor::Ref ref);
  /// Carries out what was asked for before the call. False: there was nothing, and it is told of
  /// the next request.
  bool work(actor::ThreadState& thread);
  /// After how long without a request tidy_up() is to be called; 0: there is nothing for it to do.
  std::int64_t rest_ns() const noexcept { return is_untidy_ ? settings_.tidy_after_ns : 0; }
  /// Lets the store do a step of what it has put off. False: that was the last.
  bool tidy_up();
  /// The actor ends: what is asked for from now on fails.
  void detach(actor::ThreadState& thread);

 private:
  using Requests = std::vector<actor::JournalRequestPtr>;
  using Tasks = std::deque<std::shared_ptr<JournalTask>>;

  /// What makes /system/journal look: it is told, or spawned, or it is at work anyway.
  struct Wake {
    actor::Ref to_tell = actor::nobody;
    bool must_spawn = false;
  };
  Wake wake();  // under the mutex
  void spawn();

  // ---- on the thread of /system/journal ----
  void write_all(actor::ThreadState& thread, Requests& requests);
  // Carries out requests that do not write, `count` at most.
  void go_on(actor::ThreadState& thread, std::size_t count);
  void recover(actor::ThreadState& thread, actor::JournalRequest& request);
  // Where the recovery begins, with the events if these are few: then the actor needs no turn.
  // False: it needs one, and has none.
  bool begin(actor::JournalRequest& request, bool has_turn);
  void read(actor::JournalRequest& request);
  void release(actor::ThreadState& thread, const actor::JournalRequest& request);
  // A recovery of that actor has ended; those that wait begin.
  void end_recovery(actor::ThreadState& thread, actor::Ref who);
  bool has_free_turn() const;
  void wait_for_turn(const actor::JournalRequestPtr& request);
  // A step of the task whose turn it is.
  void perform_step(actor::ThreadState& thread);
  // Answers those whose events would follow one that was refused.
  void refuse_followers(actor::ThreadState& thread, Requests& group);
  // Writes the group and answers its requests.
  void commit(actor::ThreadState& thread, Requests& group);
  persist::StoreResult<void> write(const Requests& group);
  persist::StoreResult<persist::Store*> store();
  void try_types();
  std::int64_t now_ns() const;
  // Passes on what an operator has changed.
  persist::StoreResult<void> tune(persist::Store& store);
  // Says in the log that the store has failed, or works again.
  void note(const std::optional<persist::StoreError>& fault);

  ActorSystem& system_;
  const JournalSettings settings_;
  const message::TypeId work_type_;
  base::Atomic<std::size_t> recovering_max_{64}, small_recovery_bytes_{0}, group_events_max_{2048},
      group_bytes_max_{1 << 20};

  mutable base::Mutex mutex_;  // for the members up to the next comment
  Requests queue_;
  Tasks new_tasks_;
  persist::StoreTuning wanted_;
  actor::Ref ref_ = actor::nobody;  // of /system/journal
  bool is_spawned_ = false, is_told_ = false, is_over_ = false;
  JournalReport report_;

  // Used by the turns of /system/journal only.
  std::shared_ptr<persist::Store> store_;
  std::unordered_map<std::string, actor::Ref> writers_;
  std::unordered_map<actor::Ref, std::uint64_t> recovering_;  // and the last event of each
  std::deque<actor::JournalRequestPtr> to_recover_;
  std::deque<actor::JournalRequestPtr> others_;  // requests that do not write, in their order
  // Actors of which events were refused, and why: so are those that they persist behind them, until
  // they recover anew.
  std::unordered_map<actor::Ref, persist::StoreError> refused_;
  Tasks tasks_;                                // the first one has its turn
  std::optional<persist::StoreTuning> tuned_;  // as the store is; nullopt: as it was opened
  bool is_untidy_ = false;  // groups were written, or have failed, since the store tidied up
};

}  // namespace actord::system
