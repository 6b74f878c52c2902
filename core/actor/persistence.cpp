// SPDX-License-Identifier: Apache-2.0
#include "actor/persistence.hpp"

#include "actor/cell_extras.hpp"
#include "actor/replies.hpp"
#include "actor/token.hpp"
#include "base/duration_text.hpp"
#include "message/message_pack.hpp"
#include "message/message_values.hpp"
#include "message/owned_message.hpp"
#include "message/pack_check.hpp"
#include "message/stored_members.hpp"

namespace actord::actor {

namespace {

using Level = log::Level;

constexpr std::size_t usual_bytes = 256;  // for which an event needs one allocation

// A message as it is stored. A ref is valid in this process only, so that a message which has one
// cannot be stored; an empty one can.
class StoredWriter : public message::PackWriter {
 public:
  StoredWriter() : write_ref_(ref) {
    ref = [](actord_writer* writer, actord_ref value) {
      auto& self = static_cast<StoredWriter&>(*writer);
      self.has_ref_ |= value != nobody;
      self.write_ref_(writer, value);
    };
  }
  bool has_ref() const noexcept { return has_ref_; }

 private:
  decltype(actord_writer::ref) write_ref_;
  bool has_ref_ = false;
};

std::string text_of(const persist::StoreError& error) {
  return std::string{persist::name_of(error.fault)} + ": " + error.what;
}

// The path, or that of the configured back-off supervisor in front of the actor: to put one there,
// or to take it away, must not cost an actor its events. The props of the parent do not change as
// long as it has children.
std::string path_of_node(const Turn& turn) {
  std::string path = turn.path();
  const Cell& parent = turn.environment().cells.at(turn.cell().parent);
  if (turn.parent != nobody && parent.props->behaviour.name == "actord/BackoffSupervisor")
    path.resize(path.rfind('/'));
  return path;
}

}  // namespace

// ---- requests -----------------------------------------------------------------------------------

JournalRequestPtr Persistence::request(Turn& turn, JournalRequest::Kind kind) const {
  return JournalRequestPtr(new JournalRequest(kind, turn.self, number_, id_));
}

void Persistence::submit(Turn& turn, JournalRequestPtr request) {
  if (request->is_awaited) {
    ++awaited_;
    turn.cell().life.wait_for_journal();
  }
  turn.environment().journal->submit(turn.thread(), std::move(request));
}

void Persistence::end_wait(Turn& turn) {
  turn.thread().cancel(timeout_);
  timeout_ = {};
  awaited_ = 0;
  turn.cell().life.end_wait_for_journal();
}

// ---- recovery -----------------------------------------------------------------------------------

FailurePtr Persistence::begin(Turn& turn) {
  CellExtras& extras = turn.extras();
  if (extras.persistence == nullptr) extras.persistence = std::make_unique<Persistence>();
  Persistence& self = *extras.persistence;
  if (turn.environment().journal == nullptr)
    return turn.builtin_failure(causes::recovery,
                                "this system has no journal for persistent actors");
  if (self.id_ == nullptr) {
    if (turn.cell().name.is_generated())
      return turn.builtin_failure(causes::recovery,
                                  "a persistent actor needs a name, or calls persistence_id()");
    if (const auto named = self.set_id(path_of_node(turn)); !named)
      return turn.builtin_failure(causes::recovery, named.error().what);
  }
  self.stage_ = Stage::recovering;
  ++self.number_;
  self.last_ = self.applied_ = self.snapshot_ = self.asked_ = self.stored_to_ = 0;
  JournalRequestPtr first = self.request(turn, JournalRequest::Kind::recover);
  first->is_awaited = true;
  self.submit(turn, std::move(first));
  return {};
}

void Persistence::ask_for_events(Turn& turn) {
  const std::int64_t timeout_ns =
      turn.environment().journal->settings.recovery_timeout_ns.load(base::relaxed);
  turn.thread().cancel(timeout_);
  timeout_ = {};
  if (timeout_ns != 0)
    timeout_ = turn.thread().timer_after(timeout_ns, turn.self,
                                         token::make(token::Kind::journal, number_));
  JournalRequestPtr next = request(turn, JournalRequest::Kind::read);
  next->next = applied_ + 1;
  submit(turn, std::move(next));
}

FailurePtr Persistence::on_answer(Turn& turn, JournalRequestPtr answer) {
  if (answer->number != number_ || stage_ == Stage::over) return {};  // of an earlier incarnation
  switch (answer->kind) {
    case JournalRequest::Kind::recover: on_beginning(turn, *answer); break;
    case JournalRequest::Kind::read: on_events(turn, *answer); break;
    case JournalRequest::Kind::write: return on_written(turn, *answer);
    case JournalRequest::Kind::release: break;
  }
  return {};
}

// The first answer may take long, because only so many actors recover at once. The others count
// against the timeout.
void Persistence::on_beginning(Turn& turn, const JournalRequest& answer) {
  if (answer.error) return fail_recovery(turn, text_of(*answer.error));
  const persist::Beginning& beginning = answer.beginning;
  stored_to_ = beginning.last_sequence;
  if (!beginning.passed_over.empty())
    log_snapshot(turn, "a snapshot cannot be read: an older one is used, or all events",
                 beginning.snapshot ? beginning.snapshot->sequence : 0, beginning.passed_over);
  applied_ = beginning.dropped_to;
  if (beginning.snapshot) {
    if (FailurePtr failure = pass(turn, *beginning.snapshot, turn.table().persistence->restore))
      return fail_recovery(turn, std::move(failure));
    snapshot_ = applied_ = beginning.snapshot->sequence;
  }
  if (!answer.entries.empty()) return replay(turn, answer);
  go_on(turn);
}

void Persistence::on_events(Turn& turn, const JournalRequest& answer) {
  if (answer.error) return fail_recovery(turn, text_of(*answer.error));
  if (answer.entries.empty())
    return fail_recovery(turn, "event " + std::to_string(applied_ + 1) + " of " +
                                   std::to_string(stored_to_) + " is missing in the journal");
  replay(turn, answer);
}

void Persistence::replay(Turn& turn, const JournalRequest& answer) {
  const bool is_newest_only = (turn.table().persistence->flags & ACTORD_NEWEST_ONLY) != 0;
  for (const persist::StoredEntry& event : answer.entries) {
    if (event.sequence != applied_ + 1 && !is_newest_only)
      return fail_recovery(turn, "event " + std::to_string(applied_ + 1) +
                                     " is missing in the journal, " +
                                     std::to_string(event.sequence) + " is there");
    if (FailurePtr failure = pass(turn, event, turn.table().persistence->replay))
      return fail_recovery(turn, std::move(failure));
    applied_ = event.sequence;
  }
  go_on(turn);
}

void Persistence::go_on(Turn& turn) {
  if (applied_ >= stored_to_) end_recovery(turn);
  else ask_for_events(turn);
}

FailurePtr Persistence::pass(Turn& turn, const persist::StoredEntry& entry,
                             decltype(actord_persistence::replay) take) {
  const message::TypeRegistry& types = turn.environment().types;
  const auto unreadable = [&](std::string_view why) {
    return turn.builtin_failure(causes::recovery, std::string{entry.type} + " of number " +
                                                      std::to_string(entry.sequence) + ": " +
                                                      std::string{why});
  };
  if (take == nullptr) return unreadable("there is a snapshot, and the actor takes none");
  message::TypeId type = types.find(entry.type, turn.cell().props->behaviour.declarer);
  if (type == 0) type = types.find(entry.type);
  if (type == 0) return unreadable("no plugin has a message of that name any more");
  if (!message::is_whole_pack(entry.content)) return unreadable("the content is no MessagePack");
  const message::PackReader reader(entry.content);
  if (const std::string unknown = message::unknown_member(*types.at(type).table, reader.root());
      !unknown.empty())
    return unreadable(message::why_not_read(unknown));
  const std::string pruned = message::without_dropped(*types.at(type).table, reader.root());
  const message::PackReader kept(pruned.empty() ? std::string_view{entry.content} : pruned);
  message::OwnedMessage content(type, types.at(type));
  ErrorReceiver fault(turn.thread().recorder);
  if (content.read(kept.root(), fault) != ACTORD_OK)
    return unreadable(fault.failure ? fault.failure->what.view() : "it cannot be read");
  const actord_stored stored{content.content(), entry.sequence, entry.written_ns};
  turn.message_type = type;
  turn.message = content.content();
  FailurePtr failure = turn.call_plugin([&](actord_context* context, actord_errors* errors) {
    return take(turn.cell().instance, context, &stored, errors);
  });
  turn.clear_current();
  return failure;
}

void Persistence::end_recovery(Turn& turn) {
  last_ = applied_ = std::max(applied_, stored_to_);
  stage_ = Stage::ready;
  end_wait(turn);
  if (turn.thread().log.is_enabled(Level::debug))
    turn.thread().log.emit(Level::debug, "actor.recovered", "an actor has recovered its state",
                           {{"actor.path", turn.path()},
                            {"persistence.id", *id_},
                            {"persistence.sequence", applied_},
                            {"persistence.snapshot", snapshot_}});
  if (FailurePtr failure = turn.call_hook(turn.table().persistence->recovered))
    fail_recovery(turn, std::move(failure));
}

// The text is that of the plugin's failure, or of the runtime's own.
void Persistence::fail_recovery(Turn& turn, FailurePtr failure) {
  give_up(turn, "actor.recovery-failed", "the recovery of an actor failed: it is stopped",
          turn.wrap_failure(causes::recovery, failure));
}

void Persistence::fail_recovery(Turn& turn, std::string_view why) {
  give_up(turn, "actor.recovery-failed", "the recovery of an actor failed: it is stopped",
          turn.builtin_failure(causes::recovery, why));
}

void Persistence::on_timeout(Turn& turn, std::uint64_t token) {
  if (token != token::make(token::Kind::journal, number_) || stage_ != Stage::recovering) return;
  timeout_ = {};
  const std::int64_t after_ns =
      turn.environment().journal->settings.recovery_timeout_ns.load(base::relaxed);
  fail_recovery(turn, "the journal has not answered within " + base::duration_text(after_ns) +
                          ", after event " + std::to_string(applied_) + " of " +
                          std::to_string(stored_to_));
}

// ---- what was stored ----------------------------------------------------------------------------

// Answers come in the order of the writes, but one may be passed on late, because the actor was
// suspended.
FailurePtr Persistence::on_written(Turn& turn, JournalRequest& answer) {
  answer.is_answered = true;
  while (first_ && first_->is_answered && stage_ != Stage::over) {
    if (FailurePtr failure = tell(turn, *first_)) {
      // If the supervisor resumes the actor, it goes on there; the message waits until then.
      turn.thread().send_system(turn.self, SystemMessage::journal(first_));
      return failure;
    }
    end_write(turn);
  }
  return {};
}

void Persistence::on_not_written(Turn& turn, JournalRequest& write) {
  if (!write.events.empty()) {
    FailurePtr failure = turn.builtin_failure(causes::persist, text_of(*write.error));
    write.holder_of_message().failure = failure;
    give_up(turn, "actor.persist-failed", "events could not be stored: the actor is stopped",
            std::move(failure));
  } else if (write.snapshot) {
    log_snapshot(turn, "a snapshot could not be stored; the events are all there",
                 write.snapshot->sequence, text_of(*write.error));
  }
}

// A snapshot that is being stored, or could not be, counts: so it is not asked for with each event.
bool Persistence::is_snapshot_due(Turn& turn, const JournalRequest& write) const {
  const std::uint64_t every =
      turn.environment().journal->settings.snapshot_every.load(base::relaxed);
  return every != 0 && applied_ - std::max(snapshot_, asked_) >= every &&
         write.told + 1 == write.events.size();
}

FailurePtr Persistence::tell(Turn& turn, JournalRequest& write) {
  if (write.error) {
    on_not_written(turn, write);
    return {};
  }
  if (write.snapshot) snapshot_ = std::max(snapshot_, write.snapshot->sequence);
  telling_ = &write;
  FailurePtr failure;
  while (!failure && write.told < write.events.size()) failure = tell_next(turn, write);
  telling_ = nullptr;
  return failure;
}

FailurePtr Persistence::tell_next(Turn& turn, JournalRequest& write) {
  const actord_persistence& table = *turn.table().persistence;
  applied_ = write.events[write.told].sequence;
  const bool is_due = !write.is_repeat && is_snapshot_due(turn, write);
  Envelope*& message = write.holder_of_message().message;
  if (message != nullptr) turn.set_current(message);
  turn.sender = write.sender;
  actord_status status = ACTORD_OK;
  FailurePtr failure = turn.call_plugin([&](actord_context* context, actord_errors* errors) {
    status = table.persisted(turn.cell().instance, context, applied_, is_due ? 1 : 0, errors);
    return status;
  });
  if (failure) failure->is_state_behind = status == ACTORD_UNAPPLIED;
  if (message != nullptr && turn.is_kept()) {  // the stash has it now
    ++turn.thread().counters.sent;             // it has been counted as handled, and ends once more
    turn.extras().stash.after_handler(turn);
    message = nullptr;
  }
  if (message != nullptr) turn.note_if_taken(*message);
  if (failure) write.holder_of_message().failure = failure;
  turn.clear_current();
  // What the call has persisted belongs to it alone: a later one that fails does not take it back.
  if (!failure) flush(turn);
  write.is_repeat = failure && (table.flags & ACTORD_REPEATS_PERSISTED) != 0;
  if (!write.is_repeat) ++write.told;
  return failure;
}

void Persistence::end_write(Turn& turn) {
  const JournalRequestPtr ended = std::move(first_);
  first_ = std::move(ended->next_write);
  if (!first_) last_write_ = nullptr;
  JournalRequest& holder = ended->holder_of_message();
  if (--holder.message_uses == 0 && holder.message != nullptr) {
    Envelope& message = *std::exchange(holder.message, nullptr);
    if (holder.failure && message.has(Envelope::ask) && fails_with_handler(turn, message))
      fail_question(turn, message, holder.failure);
    turn.thread().discard(&message);
  }
  if (ended->is_awaited && stage_ != Stage::over && --awaited_ == 0) end_wait(turn);
}

void Persistence::log_snapshot(Turn& turn, std::string_view text, std::uint64_t sequence,
                               std::string_view why) const {
  turn.thread().log.emit(Level::warning, "actor.snapshot-failed", text,
                         {{"actor.path", turn.path()},
                          {"persistence.id", *id_},
                          {"persistence.sequence", sequence},
                          {"reason", why}});
}

void Persistence::give_up(Turn& turn, std::string_view event, std::string_view text,
                          FailurePtr failure) {
  stage_ = Stage::over;
  open_ = {};
  turn.thread().cancel(timeout_);
  timeout_ = {};
  turn.thread().log.emit(Level::error, event, text,
                         {{"actor.path", turn.path()},
                          {"persistence.id", *id_},
                          {"persistence.sequence", applied_},
                          {"reason", failure->what.view()}});
  // No supervisor decides (supervision.md 183).
  turn.thread().send_system(turn.self,
                            SystemMessage::terminate(StopReason::failed, std::move(failure)));
}

// ---- the end of a call, of an incarnation, of the actor -----------------------------------------

void Persistence::flush(Turn& turn) {
  if (!open_) return;
  JournalRequestPtr request = std::move(open_);
  if (turn.cell().life.is_failed()) {
    last_ -= request->events.size();
    if (request->snapshot) asked_ = snapshot_;
    return;
  }
  // What follows the events may forward or stash the message, so that it stays until then.
  if (telling_ != nullptr) request->origin = &telling_->holder_of_message();
  else if (!request->events.empty() && turn.message_type != 0 && turn.current() != nullptr &&
           !turn.is_kept()) {
    request->message = turn.keep_current();
    turn.note_if_taken(*request->message);
  }
  ++request->holder_of_message().message_uses;
  (last_write_ != nullptr ? last_write_->next_write : first_) = request;
  last_write_ = request.get();
  submit(turn, std::move(request));
}

void Persistence::end_incarnation(Turn& turn) {
  if (stage_ == Stage::before) return;
  stage_ = Stage::over;
  open_ = {};
  while (first_) end_write(turn);
  end_wait(turn);
}

void Persistence::release(Turn& turn) noexcept try {
  if (number_ == 0) return;
  turn.environment().journal->submit(turn.thread(), request(turn, JournalRequest::Kind::release));
} catch (const std::bad_alloc&) {}

// ---- what the actor asks for --------------------------------------------------------------------

base::Result<void> Persistence::set_id(std::string_view id) {
  if (id.empty() || id.size() > id_max)
    return base::Error{"a persistence id has 1 to " + std::to_string(id_max) + " bytes, and \"" +
                       std::string{id.substr(0, 40)} + "\" has " + std::to_string(id.size())};
  if (stage_ == Stage::recovering || stage_ == Stage::ready)
    return base::Error{"persistence_id() is called in the constructor or in pre_start, not later"};
  if (number_ != 0 && *id_ != id)
    return base::Error{
        "the persistence id of an actor is the same for all its incarnations; it was \"" + *id_ +
        "\""};
  id_ = std::make_shared<const std::string>(id);
  return {};
}

JournalRequest& Persistence::open(Turn& turn) {
  if (!open_) {
    open_ = request(turn, JournalRequest::Kind::write);
    open_->sender = turn.sender;
    open_->is_newest_only = (turn.table().persistence->flags & ACTORD_NEWEST_ONLY) != 0;
    turn.note_unstored();
  }
  return *open_;
}

Persistence::Error Persistence::rejected(Turn& turn, message::TypeId type, std::string why) const {
  turn.thread().log.emit(Level::error, "actor.persist-rejected",
                         "a message cannot be stored: the actor goes on without it",
                         {{"actor.path", turn.path()},
                          {"persistence.id", *id_},
                          {"message.type", turn.environment().types.name(type)},
                          {"reason", why}});
  return {std::move(why), true};
}

base::Result<JournalRequest::Piece, Persistence::Error> Persistence::encode(
    Turn& turn, message::TypeId type, const void* message, JournalRequest& to) const {
  const message::MessageType& of = turn.environment().types.at(type);
  StoredWriter writer;
  writer.reserve(usual_bytes);
  ErrorReceiver errors(turn.thread().recorder);
  if (message::write_message(of, message, writer, errors) != ACTORD_OK)
    return rejected(turn, type,
                    errors.failure ? std::string{errors.failure->what.view()}
                                   : std::string{"the type has no function for that"});
  if (!writer.fault().empty()) return rejected(turn, type, std::string{writer.fault()});
  if (writer.has_ref())
    return rejected(turn, type,
                    "it has a ref, which means nothing to the next process: store the path");
  if (writer.bytes().size() > Journal::entry_bytes_max)
    return rejected(turn, type,
                    "it has " + std::to_string(writer.bytes().size()) + " bytes, and " +
                        std::to_string(Journal::entry_bytes_max) + " is the limit");
  const JournalRequest::Piece piece{0, message::view(of.table->name), to.bytes.size(),
                                    writer.bytes().size()};
  if (to.bytes.empty()) to.bytes = writer.take_bytes();
  else to.bytes.append(writer.bytes());
  return piece;
}

base::Result<std::uint64_t, Persistence::Error> Persistence::persist(Turn& turn,
                                                                     message::TypeId type,
                                                                     const void* event,
                                                                     bool is_async) {
  if (stage_ != Stage::ready)
    return Error{stage_ == Stage::over ? "an actor that ends cannot persist anything"
                                       : "an actor persists events when it has recovered, from "
                                         "recovery_completed() on"};
  JournalRequest& to = open(turn);
  const auto encoded = encode(turn, type, event, to);
  if (!encoded) return encoded.error();
  to.events.push_back(*encoded);
  to.is_awaited |= !is_async;
  return to.events.back().sequence = ++last_;
}

base::Result<void, Persistence::Error> Persistence::save_snapshot(Turn& turn, message::TypeId type,
                                                                  const void* state) {
  if (stage_ != Stage::ready)
    return Error{"an actor saves snapshots when it has recovered, from recovery_completed() on"};
  if (applied_ == 0) return Error{"there is no event yet that a snapshot could have"};
  JournalRequest& to = open(turn);
  const auto encoded = encode(turn, type, state, to);
  if (!encoded) return encoded.error();
  to.snapshot = *encoded;
  to.snapshot->sequence = asked_ = applied_;
  if (turn.environment().journal->settings.deletes_events.load(base::relaxed))
    to.delete_to = std::max(to.delete_to, snapshot_);
  return {};
}

void Persistence::delete_events(Turn& turn, std::uint64_t to) {
  if (stage_ != Stage::ready) return;
  JournalRequest& request = open(turn);
  request.delete_to = std::max(request.delete_to, to);
}

actord_persistence_state Persistence::state() const noexcept {
  return {applied_,
          snapshot_,
          last_ > applied_ ? last_ - applied_ : 0,
          stage_ == Stage::recovering ? 1 : 0,
          0,
          id_ != nullptr ? message::to_c(*id_) : actord_str{"", 0}};
}

}  // namespace actord::actor
