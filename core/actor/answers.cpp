// SPDX-License-Identifier: Apache-2.0
//
// How asks are answered: by a message to the ref of the ask, by an actor's identity, or by a
// failure.
#include <optional>

#include "actor/thread_state.hpp"
#include "message/owned_message.hpp"

namespace actord::actor {

Ref ThreadState::asker_of(Ref answer_ref) const noexcept {
  const std::uint32_t index = asker_index_of(answer_ref);
  const bool is_cell = index != Cell::none && index <= last_cell_;
  return is_cell ? environment.cells.ref_of(cells_[index]) : nobody;
}

// Null if a payload that fits inside only without the token needs memory, and there is none.
Envelope* ThreadState::as_answer(Envelope& message, std::uint64_t ask_number) {
  constexpr std::uint32_t flags = Envelope::reply | Envelope::correlated;
  Envelope* const answer = take_block();
  answer->sender = message.sender;
  if (message.has(Envelope::outside)) {  // it stays where it is
    void* const payload = message.payload();
    answer->type_and_flags = (message.type_and_flags & ~std::uint32_t{Envelope::small}) | flags;
    std::memcpy(answer->bytes, &ask_number, sizeof ask_number);
    std::memcpy(answer->bytes + sizeof ask_number, &payload, sizeof payload);
    free_block(&message);
    return answer;
  }
  try {
    message::fill(*answer, message.type(), types_[message.type()], message.payload(), flags,
                  ask_number);
  } catch (const std::bad_alloc&) {
    free_block(answer);
    return nullptr;
  }
  discard(&message);
  return answer;
}

// A question is no answer, and neither is what the runtime does instead of the receiver.
bool ThreadState::may_answer(const Envelope& message) const noexcept {
  const BuiltinTypes& builtin = environment.builtin;
  const message::TypeId type = environment.types.first_layout(message.type());
  return !message.has(Envelope::ask | Envelope::reply | Envelope::tick) &&
         type != builtin.identify && type != builtin.poison_pill && type != builtin.kill;
}

// The asker may end after the look at its mailbox. The answer is then obsolete, as one is that was
// under way.
void ThreadState::push_answer(Ref answer_ref, Envelope* message) {
  const Ref asker = asker_of(answer_ref);
  Envelope* const answer = may_answer(*message) && is_mailbox_open(asker)
                               ? as_answer(*message, ask_number_of(answer_ref))
                               : nullptr;
  if (answer == nullptr) return send_to_dead_letters(answer_ref, message, Undelivered::no_actor);
  --counters.sent;  // counted when `message` was sent
  push_always(asker, answer);
}

void ThreadState::fail_ask(Ref asker, Ref answer_ref, Ref answerer, FailurePtr failure) {
  Envelope* const answer = take_block();
  answer->type_and_flags = Envelope::reply | Envelope::failure | Envelope::correlated;
  answer->sender = answerer;
  const std::uint64_t number = ask_number_of(answer_ref);
  Failure* const pointer = failure.release();
  std::memcpy(answer->bytes, &number, sizeof number);
  std::memcpy(answer->bytes + sizeof number, &pointer, sizeof pointer);
  push_always(asker, answer);
}

void ThreadState::identify(Envelope& question, Ref who) {
  if (question.sender == nobody) return;
  // The runtime reads an Identify in its own layout. One that cannot be translated is not answered.
  std::optional<message::OwnedMessage> translated;
  const void* asked = question.payload();
  if (question.type() != environment.builtin.identify) {
    ErrorReceiver errors(recorder);
    const message::TypeId own = environment.builtin.identify;
    translated.emplace(own, environment.types.at(own));
    if (translated->translate(environment.types.at(question.type()), asked, errors) != ACTORD_OK)
      return;
    asked = translated->content();
  }
  const bool is_ask = question.has(Envelope::ask);
  const std::uint32_t flags = is_ask ? Envelope::reply | Envelope::correlated : 0u;
  const Ref to = is_ask ? question.token() : question.sender;
  const message::TypeId type = environment.builtin.actor_identity;
  Envelope* const answer = take_block();
  void* const at = message::prepare(*answer, type, environment.types.at(type), flags,
                                    is_ask ? ask_number_of(question.sender) : 0);
  environment.construct_identity(at, asked, who);
  answer->sender = who;
  if (is_ask) push_always(to, answer);
  else push(to, answer);
}

}  // namespace actord::actor
