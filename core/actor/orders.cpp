// SPDX-License-Identifier: Apache-2.0
#include "actor/orders.hpp"

#include <new>

#include "actor/cell_extras.hpp"

namespace actord::actor {

// An order comes from outside, so a want of memory must not stop the actor. What allocates comes
// first.
void obey(Turn& turn, Order& order) {
  using Outcome = Order::Outcome;
  const Lifecycle& life = turn.cell().life;
  if (life.is_ending() || life.is_doomed()) return order.answer(Outcome::gone);
  if (order.kind == Order::Kind::restart && order.was_deferred) return order.answer(Outcome::done);
  FailurePtr cause;
  try {
    static_cast<void>(turn.extras());
    if (order.kind == Order::Kind::restart)
      cause = Recovery::operator_cause(turn, causes::restart_ordered, order.why);
  } catch (const std::bad_alloc&) {
    return order.answer(Outcome::no_memory);
  }
  switch (order.kind) {
    case Order::Kind::suspend:
      return order.answer(Recovery::hold(turn) ? Outcome::done : Outcome::needless);
    case Order::Kind::resume:
      return order.answer(Recovery::release(turn) ? Outcome::done : Outcome::needless);
    case Order::Kind::trace:
      turn.extras().traced_messages_left = order.count;
      return order.answer(Outcome::done);
    case Order::Kind::restart: break;
  }
  Recovery::restart_by_operator(turn, std::move(cause), PendingAck(order, turn.self));
}

}  // namespace actord::actor
