// SPDX-License-Identifier: Apache-2.0
//
// How a router knows which of its children are busy (supervision.md 180v, balancing): it counts the
// messages that it has offered them, and each routee tells it when one is handled, or lost. The
// count outlives a restart of the router, and what is told takes no place in a mailbox. The
// handling is here, because Routing stands below the dispatch.
#include "actor/activation.hpp"
#include "actor/child_list.hpp"
#include "actor/routing.hpp"

namespace actord::actor {

bool offer(Turn& turn, Ref routee) {
  if (turn.current() == nullptr || turn.message_type == 0) return true;
  const Cell* const child = find_child(turn, routee);
  if (child == nullptr || !child->has(Cell::routee)) return false;
  Envelope* const copy = turn.copy_of(*turn.current());
  if (copy == nullptr) return true;
  if (!turn.environment().routes.change_unhandled(turn.cell(), routee, 1)) {
    turn.thread().discard(copy);
    return false;
  }
  copy->type_and_flags |= Envelope::credited;
  turn.thread().push(routee, copy);
  return true;
}

void on_credit(Turn& turn, Ref routee) {
  if (!turn.environment().routes.change_unhandled(turn.cell(), routee, -1)) return;
  if (CellExtras* const extras = turn.find_extras()) extras->stash.unstash(turn, 1);
}

// A message on which the actor fails is handled when the episode ends.
void Activation::handle_credited(Envelope* envelope) {
  envelope->type_and_flags &= ~std::uint32_t{Envelope::credited};
  dispatch(envelope);
  if (cell().life.is_failed()) extras().recovery.owe_credit();
  else thread().send_system(parent, SystemMessage::handled(self));
}

}  // namespace actord::actor
