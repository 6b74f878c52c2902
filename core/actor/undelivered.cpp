// SPDX-License-Identifier: Apache-2.0
//
// What becomes of messages that cannot be delivered: dead letters, failures that answer asks, and
// answers to system messages whose receiver has terminated.
#include "actor/thread_state.hpp"

#include "actor/inspection.hpp"
#include "actor/order.hpp"
#include "actor/spawn_request.hpp"

namespace actord::actor {

std::string_view name_of(Undelivered reason) noexcept {
  constexpr std::string_view names[] = {"no-actor",       "stopped", "mailbox-full",
                                        "backoff-full",   "timeout", "unhandled",
                                        "not-translated", "poison",  "no-routee"};
  return names[static_cast<std::size_t>(reason)];
}

void ThreadState::send_to_dead_letters(Ref recipient, Envelope* envelope, Undelivered reason) {
  if (envelope->has(Envelope::traced)) open_traced(*envelope);
  const bool is_own = envelope->has(Envelope::tick) || envelope->has(Envelope::reply);
  if (is_own) {  // a tick, or an answer that comes too late: no sender needs to know
    ++counters.obsolete;
    return discard(envelope);
  }
  if (envelope->has(Envelope::credited)) [[unlikely]] {
    const Cell* const routee = find(recipient);
    if (routee != nullptr)
      send_system(make_ref(routee->parent, routee->parent_generation),
                  SystemMessage::handled(recipient));
  }
  const message::TypeId type = envelope->type();
  // An Identify is answered with an empty ref (supervision.md 145).
  if (environment.types.first_layout(type) == environment.builtin.identify) {
    ++counters.obsolete;
    identify(*envelope, nobody);
    return discard(envelope);
  }
  ++counters.undelivered;
  const bool is_ask = envelope->has(Envelope::ask);
  environment.undelivered(*this, {recipient, is_ask ? envelope->token() : envelope->sender, type,
                                  reason, envelope->payload()});
  if (is_ask) {
    const std::string what = std::string{environment.types.name(type)} + " did not reach " +
                             path(recipient) + ": " + std::string{name_of(reason)};
    fail_ask(envelope->token(), envelope->sender, recipient,
             recorder.make(reason == Undelivered::mailbox_full
                               ? std::span<const actord_str>(causes::mailbox_full)
                               : std::span<const actord_str>(causes::no_recipient),
                           what));
  }
  discard(envelope);
}

void ThreadState::answer_for_terminated(Ref dead, Envelope* envelope) {
  // The message may be for a former tenant of the cell. Its own generation says for which.
  dead = make_ref(index_of(dead), envelope->target_generation);
  const SystemMessage& message = system_message_in(*envelope);
  if (message.kind == SystemMessage::Kind::watch) {
    send_system(message.subject,
                SystemMessage::terminated(dead, StopReason::no_such_actor, false, message.token()));
  } else if (message.kind == SystemMessage::Kind::room_wanted) {
    send_system(message.subject, SystemMessage::room(dead));
  } else if (message.kind == SystemMessage::Kind::spawn) {
    static_cast<SpawnRequest*>(message.request)
        ->answer(base::Error{"the system is shutting down: no actor can be created"});
  } else if (message.kind == SystemMessage::Kind::inspect) {
    static_cast<Inspection*>(message.request)->done(Inspection::Outcome::gone);
  } else if (message.kind == SystemMessage::Kind::order) {
    static_cast<Order*>(message.request)->answer(Order::Outcome::gone);
  } else if (message.kind == SystemMessage::Kind::reconfigure) {
    static_cast<Reconfiguration*>(message.request)->done(dead);
  }
  drop(envelope);
}

void ThreadState::drop_content(const SystemMessage& message) {
  if (message.failure != nullptr) message.failure->drop();
  if (message.request != nullptr) message.request->drop();
}

}  // namespace actord::actor
