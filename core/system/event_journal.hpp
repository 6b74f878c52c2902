// SPDX-License-Identifier: Apache-2.0
//
// The journal of a system: takes the requests of persistent actors and lets /system/journal carry
// them out, a group at a time. Whatever has come while one group was written is the next one, so
// that many writers share the wait for the medium, and a single one waits for no other.
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

namespace actord::system {

class ActorSystem;

struct JournalSettings {
  using OpenStore = std::function<persist::StoreResult<std::shared_ptr<persist::Store>>()>;

  OpenStore open_store;  // called for the first request; null: there is no journal
  std::size_t group_events_max = 2048;
  std::size_t group_bytes_max = std::size_t{1} << 20;
  std::function<std::int64_t()> now_ns;  // since 1970; null: the clock of the executor
};

/// Settings of the journal that can be changed while the system runs.
struct LiveJournalSettings {
  std::int64_t recovery_timeout_ns = 30'000'000'000;
  std::size_t recovering_max = 64;   // actors that recover at once
  std::uint64_t snapshot_every = 0;  // events; 0: never
  bool deletes_events = false;       // those that an older snapshot has
};

/// What the journal does and has done so far.
struct JournalReport {
  bool is_open = false;                      // false: no actor has needed it yet
  std::optional<persist::StoreError> fault;  // of the last request, if it has failed
  std::uint64_t groups = 0, events = 0, bytes = 0, snapshots = 0;  // written
  std::uint64_t failed_groups = 0;
  std::uint64_t replayed = 0;                  // events
  std::size_t writers = 0;                     // actors that have recovered, or are about to
  std::size_t recovering = 0, to_recover = 0;  // those that do; those that wait for their turn
  std::size_t recovering_most = 0;             // at once, so far
};

class Journal final : public actor::Journal {
 public:
  /// The types of the builtin plugin are registered.
  Journal(ActorSystem& system, JournalSettings wanted);

  // ---- any thread ----
  void submit(actor::ThreadState& thread, actor::JournalRequestPtr request) override;
  void set_live(const LiveJournalSettings& live);
  JournalReport report() const;

  // ---- /system/journal, in its turns ----
  /// It begins, and is about to call work(). From then on it is told when there is something to do.
  void attach(actor::Ref ref);
  /// Carries out what was asked for before the call. False: there was nothing, and it is told of
  /// the next request.
  bool work(actor::ThreadState& thread);
  /// The actor ends: what is asked for from now on fails.
  void detach(actor::ThreadState& thread);

 private:
  using Requests = std::vector<actor::JournalRequestPtr>;

  // ---- on the thread of /system/journal ----
  void carry_out(actor::ThreadState& thread, Requests& requests);
  void recover(actor::ThreadState& thread, actor::JournalRequest& request);
  void read(actor::JournalRequest& request);
  void release(actor::ThreadState& thread, const actor::JournalRequest& request);
  // A recovery of that actor has ended; those that wait begin.
  void end_recovery(actor::ThreadState& thread, actor::Ref who);
  bool has_free_turn() const;
  void wait_for_turn(const actor::JournalRequestPtr& request);
  // Writes the group and answers its requests.
  void commit(actor::ThreadState& thread, Requests& group);
  persist::StoreResult<void> write(const Requests& group);
  persist::StoreResult<persist::Store*> store();
  std::int64_t now_ns() const;
  // Says in the log that the store has failed, or works again.
  void note(const std::optional<persist::StoreError>& fault);

  ActorSystem& system_;
  const JournalSettings settings_;
  const message::TypeId work_type_;
  base::Atomic<std::size_t> recovering_max_{64};

  mutable base::Mutex mutex_;  // for the members up to the next comment
  Requests queue_;
  actor::Ref ref_ = actor::nobody;  // of /system/journal
  bool is_spawned_ = false, is_told_ = false, is_over_ = false;
  JournalReport report_;

  // Used by the turns of /system/journal only.
  std::shared_ptr<persist::Store> store_;
  std::unordered_map<std::string, actor::Ref> writers_;
  std::unordered_map<actor::Ref, std::uint64_t> recovering_;  // and the last event of each
  std::deque<actor::JournalRequestPtr> to_recover_;
};

}  // namespace actord::system
