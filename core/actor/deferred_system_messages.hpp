// SPDX-License-Identifier: Apache-2.0
//
// Deferred system messages, which wait until the actor can handle them. While an actor waits for
// its next incarnation, suspend, resume, recreate, orders and failed are deferred and replayed in
// their order; while it is only suspended, failed is deferred alone (supervision.md 20, 31), with
// the answers of the journal, which lead to calls of the plugin as messages do. The other kinds,
// such as terminate, watch and terminated, are never deferred. A doomed actor never replays what it
// has deferred.
#pragma once

#include "actor/envelope_list.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// Which kinds of messages are deferred: none; `failed`, `journal` and instance_lost; or these,
/// suspend, resume, recreate and orders. Each value includes the kinds of the values before it.
enum class Deferral : std::uint8_t { nothing, failures, supervision };

// Only a suspended actor defers anything. One that waits for its next incarnation is suspended
// until that incarnation begins, and a doomed one forever.
inline Deferral deferral_of(const Lifecycle& life) noexcept {
  if (!life.is_suspended()) [[likely]]
    return Deferral::nothing;
  return life.is_waiting_to_restart() || life.is_doomed() ? Deferral::supervision
                                                          : Deferral::failures;
}

constexpr bool must_defer(SystemMessage::Kind kind, Deferral deferral) noexcept {
  using Kind = SystemMessage::Kind;
  switch (kind) {
    case Kind::failed:
    case Kind::journal:
    case Kind::instance_lost: return deferral >= Deferral::failures;
    case Kind::suspend:
    case Kind::resume:
    case Kind::recreate:
    case Kind::order: return deferral == Deferral::supervision;
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
  /// The deferred messages followed by `list`, which arrived later.
  Envelope* release_before(Envelope* list) noexcept {
    if (list_.is_empty()) return list;
    list_.last()->next = list;
    return list_.take();
  }
  /// All deferred messages, at the end of the actor. The caller answers them.
  Envelope* take_all() noexcept { return list_.take(); }

 private:
  EnvelopeList list_;
};

}  // namespace actord::actor
