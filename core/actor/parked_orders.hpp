// SPDX-License-Identifier: Apache-2.0
//
// Orders that have to wait. While a recreation waits, suspend, resume, recreate and failed are
// parked and replayed in their order; while an actor is suspended, failed alone is (supervision.md
// 20, 31). Terminate, watches and death notices never wait. What a doomed actor parks is never
// replayed.
#pragma once

#include "actor/envelope_list.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// How much has to wait, the least first.
enum class Parking : std::uint8_t { nothing, failures, life };

// Whatever parks more than failures is suspended as well: an actor that waits for its next
// incarnation is, until that incarnation has begun, and a doomed one is for good.
inline Parking parking_of(const Lifecycle& life) noexcept {
  if (!life.is_suspended()) [[likely]]
    return Parking::nothing;
  return life.is_waiting_to_restart() || life.is_doomed() ? Parking::life : Parking::failures;
}

constexpr bool must_wait(Order order, Parking parking) noexcept {
  switch (order) {
    case Order::failed: return parking >= Parking::failures;
    case Order::suspend:
    case Order::resume:
    case Order::recreate: return parking == Parking::life;
    default: return false;
  }
}

/// Only the actor's own turn calls it.
class ParkedOrders {
 public:
  bool is_empty() const noexcept { return list_.is_empty(); }
  void park(Envelope* order, Parking parking) noexcept {
    ACTORD_ASSERT(must_wait(order_of(*order), parking));
    list_.push_back(order);
  }
  /// The parked orders, followed by `list`: they came before it.
  Envelope* release_before(Envelope* list) noexcept {
    if (list_.is_empty()) return list;
    list_.last()->next = list;
    return list_.take();
  }
  /// At the end of the actor, to be refused.
  Envelope* take_all() noexcept { return list_.take(); }

 private:
  EnvelopeList list_;
};

}  // namespace actord::actor
