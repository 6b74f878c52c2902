// SPDX-License-Identifier: Apache-2.0
#include "actor/redelivery.hpp"

#include <algorithm>

#include "actor/cell_extras.hpp"

namespace actord::actor {

namespace {

// An answer belongs to the incarnation that has asked, and what the runtime itself sends or handles
// is not what a handler is to try again.
bool may_come_again(const Turn& turn, const Failure& failure) {
  const Environment& environment = turn.environment();
  return (failure.phase == Phase::receive || failure.phase == Phase::crash) &&
         !turn.current()->has(Envelope::reply) &&
         environment.types.first_layout(turn.message_type) > environment.builtin.last;
}

void log_redelivered(Turn& turn, const Envelope& message, std::uint32_t attempts) {
  ThreadState& thread = turn.thread();
  if (!thread.log.is_enabled(log::Level::debug)) return;
  thread.log.emit(log::Level::debug, "message.redelivered",
                  "an actor gets a message again on which it failed",
                  {{"actor.path", turn.path()},
                   {"message.type", turn.environment().types.name(message.type())},
                   {"message.attempts", attempts},
                   {"message.attempts-max", turn.cell().props->attempts_max}});
}

}  // namespace

void Redelivery::note_failure(Turn& turn, const FailurePtr& failure, bool is_stashed) {
  if (turn.cell().props->attempts_max == 0 || !may_come_again(turn, *failure)) return;
  std::unique_ptr<Redelivery>& part = turn.extras().redelivery;
  if (part == nullptr) part = std::make_unique<Redelivery>();
  Record& record = part->current_;
  if (!failure->is_uncharged) ++record.attempts;
  record.failure = failure;
  record.trace = failure->trace;
  if (!is_stashed) part->failed_ = std::exchange(record, {});
}

// ---- back to the mailbox ------------------------------------------------------------------------

void Redelivery::put_back(Turn& turn, Envelope* message) noexcept {
  ThreadState& thread = turn.thread();
  Record record = std::exchange(failed_, {});
  try {
    Envelope* const place = keep(turn, message, record);
    ++thread.counters.sent;  // it has been counted as failed, and ends once more
    EnvelopeList list;
    list.push_back(place);
    put_in_front(turn, list);
  } catch (const std::bad_alloc&) {
    thread.discard(message);
  }
}

Envelope* Redelivery::place_of_current(Turn& turn, Envelope* message) {
  return keep(turn, message, current_);
}

Envelope* Redelivery::keep(Turn& turn, Envelope* message, Record& record) {
  ThreadState& thread = turn.thread();
  waiting_.reserve(waiting_.size() + 1);
  Envelope* const place = thread.take_tick(++last_number_);
  place->type_and_flags |= message->type();
  place->target_generation = generation_of(turn.self);
  message->target_generation = generation_of(turn.self);
  ++thread.counters.sent;
  waiting_.push_back({last_number_, message, std::exchange(record, {})});
  return place;
}

// ---- from the mailbox ---------------------------------------------------------------------------

Redelivery::Waiting Redelivery::take_waiting(Turn& turn, Envelope* place) {
  const auto found = std::ranges::find(waiting_, place->token(), &Waiting::number);
  ACTORD_ASSERT(found != waiting_.end());
  Waiting taken = std::move(*found);
  waiting_.erase(found);
  ++turn.thread().counters.obsolete;
  turn.thread().free_block(place);
  return taken;
}

Redelivery::Taken Redelivery::take(Turn& turn, Envelope* place) {
  Waiting taken = take_waiting(turn, place);
  if (quarantine(turn, taken)) return {};
  if (taken.record.failure) {
    ++turn.thread().counters.redelivered;
    log_redelivered(turn, *taken.message, taken.record.attempts);
  }
  current_ = std::move(taken.record);
  return {taken.message, current_.trace};
}

Envelope* Redelivery::take_unread(Turn& turn, Envelope* place) {
  const Waiting taken = take_waiting(turn, place);
  return quarantine(turn, taken) ? nullptr : taken.message;
}

bool Redelivery::quarantine(Turn& turn, const Waiting& waiting) noexcept {
  const std::uint32_t attempts_max = turn.cell().props->attempts_max;
  if (attempts_max == 0 || waiting.record.attempts < attempts_max) return false;
  ThreadState& thread = turn.thread();
  Envelope* const message = waiting.message;
  const bool is_ask = message->has(Envelope::ask);
  const PoisonMessage poison{{turn.self, is_ask ? message->token() : message->sender,
                              message->type(), Undelivered::poison, message->payload()},
                             *waiting.record.failure,
                             waiting.record.attempts};
  try {
    if (message->has(Envelope::credited)) {
      message->type_and_flags &= ~std::uint32_t{Envelope::credited};
      thread.send_system(turn.parent, SystemMessage::handled(turn.self));
    }
    if (!turn.environment().quarantine(thread, poison)) {
      thread.send_to_dead_letters(turn.self, message, Undelivered::poison);
      return true;
    }
    ++thread.counters.obsolete;
    if (is_ask)
      thread.fail_ask(message->token(), message->sender, turn.self, waiting.record.failure);
  } catch (const std::bad_alloc&) {}
  thread.discard(message);
  return true;
}

}  // namespace actord::actor
