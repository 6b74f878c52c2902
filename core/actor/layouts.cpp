// SPDX-License-Identifier: Apache-2.0
//
// Messages whose type the plugins of sender and receiver have in different layouts. They are
// translated here, once the receiver is known and its turn has come: when it has no handler for the
// message as it is (decisions/0011-messages-across-layouts.md).
#include "actor/activation.hpp"
#include "message/translation.hpp"

namespace actord::actor {

// What the runtime handles for every actor it handles in its own layout.
void Activation::dispatch_layout(Envelope* envelope) {
  const message::TypeId first = environment().types.first_layout(message_type);
  if (first > environment().builtin.last) return receive_any(envelope);
  if (Envelope* const translated = replace_by(first, envelope)) dispatch(translated);
}

Envelope* Activation::replace_by(message::TypeId layout, Envelope* envelope) {
  FailurePtr failure;
  Envelope* const translated = translate(*envelope, layout, failure);
  if (translated != nullptr) {
    release(thread(), cell(), envelope);
    set_current(translated);
    return translated;
  }
  Envelope* const lost = keep_current();
  clear_current();
  thread().send_to_dead_letters(self, lost, Undelivered::not_translated);
  return nullptr;
}

// The handler of an answer has no case that says in which layout it takes it: the one of its
// plugin.
Envelope* Activation::translated_answer(Envelope* envelope, FailurePtr& failure) {
  const message::TypeRegistry& types = environment().types;
  if (types.next_layout(message_type) == message_type) return envelope;
  const message::TypeId wanted = types.layout_in(cell().props->behaviour.declarer, message_type);
  if (wanted == 0 || wanted == message_type) return envelope;
  Envelope* const translated = translate(*envelope, wanted, failure);
  if (translated == nullptr) return envelope;
  release(thread(), cell(), envelope);
  set_current(translated);
  return translated;
}

message::TypeId Activation::layout_wanted(message::TypeId type) const {
  const message::TypeRegistry& types = environment().types;
  const message::TypeId next = types.next_layout(type);
  if (next == type || cell().receive->find_case(type) != nullptr) return 0;
  for (message::TypeId id = next; id != type; id = types.next_layout(id)) {
    if (cell().receive->find_case(id) != nullptr) return id;
  }
  if (cell().receive->table()->otherwise == nullptr) return 0;
  const message::TypeId declared = types.layout_in(cell().props->behaviour.declarer, type);
  return declared == type ? 0 : declared;
}

Envelope* Activation::translate(Envelope& from, message::TypeId to, FailurePtr& failure) {
  constexpr std::uint32_t kept = Envelope::correlated | Envelope::ask | Envelope::reply;
  const message::MessageType& type = environment().types.at(to);
  Envelope* const made = thread().take_block();
  void* const at = message::prepare(*made, to, type, from.type_and_flags & kept,
                                    from.has(Envelope::correlated) ? from.token() : 0);
  made->next = nullptr;
  made->target_generation = from.target_generation;
  made->sender = from.sender;
  failure = call_plugin([&](actord_context*, actord_errors* errors) {
    return message::translate(environment().types.at(from.type()), from.payload(), type, at,
                              *errors);
  });
  if (!failure) return made;
  const std::string what = std::string{environment().types.name(to)} +
                           " cannot be translated for " + path() + ": " +
                           std::string{failure->what.view()};
  failure = builtin_failure(causes::not_translated, what, std::move(failure));
  if (made->has(Envelope::outside)) ::operator delete(at, std::align_val_t{type.table->align});
  thread().free_block(made);
  log().hook_failed("message.not-translated", *failure, Phase::receive);
  return nullptr;
}

}  // namespace actord::actor
