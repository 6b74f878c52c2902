// SPDX-License-Identifier: Apache-2.0
//
// The events of a persistent actor: its recovery, what it has persisted and does not know to be
// stored yet, and its snapshots (supervision.md 183).
//
// While the actor recovers, and while it waits for events to be stored, it handles no user
// messages: they stay in the mailbox, whose limit and order hold as always. System messages, such
// as a stop, are handled meanwhile.
//
// Not here: what the journal does (journal.hpp), and what follows from a failure of the plugin
// during a call: the functions return it.
#pragma once

#include "actor/journal.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it.
class Persistence {
 public:
  static constexpr std::size_t id_max = 1000;  // bytes

  /// Why something could not be persisted.
  struct Error {
    std::string what;
    bool is_rejected = false;  // the content cannot be stored; the log says so
  };

  // ---- the runtime ----
  /// An incarnation of a persistent actor has been created: it asks the journal for what is stored.
  /// Fails if it has no id.
  static FailurePtr begin(Turn& turn);
  /// The journal has answered. Returns the failure of a call of the plugin, after which the
  /// supervisor decides.
  FailurePtr on_answer(Turn& turn, JournalRequestPtr answer);
  /// The recovery `token` has lasted too long.
  void on_timeout(Turn& turn, std::uint64_t token);
  /// The call of the plugin is over in which the actor has persisted something: passes that to the
  /// journal, or drops it if the call has failed.
  void flush(Turn& turn);
  /// The incarnation ends: answers to it are obsolete.
  void end_incarnation(Turn& turn);
  /// The actor ends, and gives up its id. If there is no memory to say so, the journal finds it out
  /// when another actor wants the id.
  void release(Turn& turn) noexcept;

  // ---- the actor ----
  base::Result<void> set_id(std::string_view id);
  /// Returns the number of the event.
  base::Result<std::uint64_t, Error> persist(Turn& turn, message::TypeId type, const void* event,
                                             bool is_async);
  base::Result<void, Error> save_snapshot(Turn& turn, message::TypeId type, const void* state);
  void delete_events(Turn& turn, std::uint64_t to);
  actord_persistence_state state() const noexcept;
  bool is_recovering() const noexcept { return stage_ == Stage::recovering; }
  /// Null before begin().
  const PersistenceId& id() const noexcept { return id_; }

 private:
  enum class Stage : std::uint8_t { before, recovering, ready, over };

  JournalRequestPtr request(Turn& turn, JournalRequest::Kind kind) const;
  void submit(Turn& turn, JournalRequestPtr request);
  void ask_for_events(Turn& turn);
  // Three kinds of answers; the last one leads to calls whose failure the supervisor decides on.
  void on_beginning(Turn& turn, const JournalRequest& answer);
  void on_events(Turn& turn, const JournalRequest& answer);
  void replay(Turn& turn, const JournalRequest& answer);
  FailurePtr on_written(Turn& turn, JournalRequest& answer);
  // Passes on to the plugin what is stored; returns its failure, or why it cannot be read.
  FailurePtr pass(Turn& turn, const persist::StoredEntry& entry,
                  decltype(actord_persistence::replay) take);
  // Asks for the next events, or ends the recovery.
  void go_on(Turn& turn);
  void end_recovery(Turn& turn);
  void fail_recovery(Turn& turn, FailurePtr failure);
  void fail_recovery(Turn& turn, std::string_view why);
  // The recovery has failed, or a write: the actor is stopped.
  void give_up(Turn& turn, std::string_view event, std::string_view text, FailurePtr failure);
  // Something is wrong with a snapshot, and the actor goes on.
  void log_snapshot(Turn& turn, std::string_view text, std::uint64_t sequence,
                    std::string_view why) const;
  void end_wait(Turn& turn);
  // The request that the running call adds to.
  JournalRequest& open(Turn& turn);
  bool is_snapshot_due(Turn& turn, const JournalRequest& write) const;
  // Calls the plugin for what `write` has stored, up to a failure; the next call goes on there.
  FailurePtr tell(Turn& turn, JournalRequest& write);
  FailurePtr tell_next(Turn& turn, JournalRequest& write);
  void on_not_written(Turn& turn, JournalRequest& write);
  // Ends the first write.
  void end_write(Turn& turn);
  // Appends the message to the bytes of the request.
  base::Result<JournalRequest::Piece, Error> encode(Turn& turn, message::TypeId type,
                                                    const void* message, JournalRequest& to) const;
  Error rejected(Turn& turn, message::TypeId type, std::string why) const;

  PersistenceId id_;
  Stage stage_ = Stage::before;
  std::uint64_t number_ = 0;     // of the present recovery, over all incarnations
  std::uint64_t last_ = 0;       // event that was numbered
  std::uint64_t applied_ = 0;    // event that the plugin was told of
  std::uint64_t snapshot_ = 0;   // event that a snapshot has
  std::uint64_t asked_ = 0;      // event that the snapshot has which was asked for last
  std::uint64_t stored_to_ = 0;  // event that a recovery goes to
  std::uint32_t awaited_ = 0;    // requests without whose answer no message is handled
  JournalRequestPtr open_;
  // Writes that are not over, in their order. What follows their events runs in that order, too,
  // and stops at a call that fails.
  JournalRequestPtr first_;
  JournalRequest* last_write_ = nullptr;
  JournalRequest* telling_ = nullptr;  // whose event the running call follows
  sched::TimerHandle timeout_;
};

}  // namespace actord::actor
