// SPDX-License-Identifier: Apache-2.0
#include "actor/replies.hpp"

namespace actord::actor {

Ref asker(const Turn& turn) noexcept {
  const Envelope* const asked = turn.current();
  return asked != nullptr && asked->has(Envelope::ask) ? asked->token() : nobody;
}

void reply(Turn& turn, message::TypeId type, void* answer) {
  ThreadState& thread = turn.thread();
  const Ref asker = actor::asker(turn);
  if (asker == nobody) return thread.push(turn.sender, thread.wrap(type, answer, turn.self));
  turn.mark_sender_taken();
  Envelope* const envelope = thread.take_block();
  message::fill(*envelope, type, turn.environment().types.at(type), answer,
                Envelope::reply | Envelope::correlated, ask_number_of(turn.current()->sender));
  envelope->sender = turn.self;
  thread.push_always(asker, envelope);
}

bool fail_ask(Turn& turn, Ref answer_ref, const actord_failure& failure) {
  if (!is_answer_ref(answer_ref)) return false;
  ThreadState& thread = turn.thread();
  const Ref current_asker = asker(turn);
  const bool is_current = current_asker != nobody && turn.current()->sender == answer_ref;
  if (is_current) turn.mark_sender_taken();
  thread.fail_ask(is_current ? current_asker : thread.asker_of(answer_ref), answer_ref, turn.self,
                  thread.recorder.copy(failure, Payload::copied));
  return true;
}

bool fails_with_handler(const Turn& turn, const Envelope& question) noexcept {
  if (question.has(Envelope::taken) || (turn.table().flags & ACTORD_MARKS_SENDER) == 0)
    return false;
  return turn.cell().props->asks_fail.value_or(turn.environment().asks_fail.load(base::relaxed));
}

void fail_question(Turn& turn, Envelope& question, FailurePtr failure) noexcept try {
  turn.note_if_taken(question);
  if (question.has(Envelope::taken)) return;
  question.type_and_flags |= Envelope::taken;
  turn.thread().fail_ask(question.token(), question.sender, turn.self, std::move(failure));
} catch (const std::bad_alloc&) {}

void forward(Turn& turn, Ref to, Ref sender) {
  // A message type of 0: an ask was completed with a failure, so that there is no message.
  if (turn.current() == nullptr || turn.message_type == 0) return;
  Envelope* const copy = turn.copy_of(*turn.current());
  if (copy == nullptr) return;
  if (sender != copy->sender) copy->type_and_flags &= ~std::uint32_t{Envelope::ask};
  copy->sender = sender;
  turn.thread().push(to, copy);
}

}  // namespace actord::actor
