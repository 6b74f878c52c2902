// SPDX-License-Identifier: Apache-2.0
//
// System messages that have to wait. While a recreation waits, suspend, resume, recreate and failed
// are deferred and replayed in their order; while an actor is suspended, failed alone is
// (supervision.md 20, 31). Terminate, watches and death notices never wait. What a doomed actor
// defers is never replayed.
#pragma once

#include "actor/envelope_list.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// How much has to wait, the least first.
enum class Deferral : std::uint8_t { nothing, failures, life };

// An actor that defers more than failures is suspended as well: one that waits for its next
// incarnation is suspended until that incarnation has begun, and a doomed one for good.
inline Deferral deferral_of(const Lifecycle& life) noexcept {
  if (!life.is_suspended()) [[likely]]
    return Deferral::nothing;
  return life.is_waiting_to_restart() || life.is_doomed() ? Deferral::life : Deferral::failures;
}

constexpr bool must_defer(SystemMessage::Kind kind, Deferral deferral) noexcept {
  using Kind = SystemMessage::Kind;
  switch (kind) {
    case Kind::failed: return deferral >= Deferral::failures;
    case Kind::suspend:
    case Kind::resume:
    case Kind::recreate: return deferral == Deferral::life;
    default: return false;
  }
}

/// Only the actor's own turn calls it.
class DeferredSystemMessages {
 public:
  bool is_empty() const noexcept { return list_.is_empty(); }
  void defer(Envelope* envelope, Deferral deferral) noexcept {
    ACTORD_ASSERT(must_defer(system_message_in(*envelope).kind, deferral));
    list_.push_back(envelope);
  }
  /// The deferred messages, followed by `list`: they came before it.
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
