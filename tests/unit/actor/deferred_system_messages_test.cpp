// SPDX-License-Identifier: Apache-2.0
#include "actor/deferred_system_messages.hpp"

#include <doctest/doctest.h>

#include <array>
#include <initializer_list>

#include "support/dies.hpp"

namespace actord::actor {

TEST_SUITE_BEGIN("actor/deferred_system_messages");

using support::assertion_broken_by;

namespace {

using Kind = SystemMessage::Kind;

Envelope envelope_with(const SystemMessage& message) {
  Envelope envelope{};
  ::new (static_cast<void*>(envelope.bytes)) SystemMessage(message);
  return envelope;
}

Lifecycle life(std::initializer_list<Stage> way, int suspensions) {
  Lifecycle made;
  for (const Stage next : way) made.transition_to(next);
  for (int i = 0; i < suspensions; ++i) made.suspend();
  return made;
}

}  // namespace

TEST_CASE("what waits depends on the stage and on suspensions") {
  using enum Stage;
  CHECK(deferral_of(life({running}, 0)) == Deferral::nothing);
  CHECK(deferral_of(life({running}, 1)) == Deferral::failures);
  CHECK(deferral_of(life({running, recreating}, 1)) == Deferral::supervision);
  CHECK(deferral_of(life({running, creating}, 1)) == Deferral::supervision);
  CHECK(deferral_of(life({running, recreating, backing_off}, 2)) == Deferral::supervision);
  CHECK(deferral_of(life({running, terminating}, 1)) == Deferral::failures);
  Lifecycle doomed = life({running}, 0);
  doomed.doom();
  CHECK(deferral_of(doomed) == Deferral::supervision);
}

TEST_CASE(
    "20, 31 failures wait for a suspension, suspend, resume and recreate for the next "
    "incarnation") {
  for (const Kind which : {Kind::suspend, Kind::resume, Kind::recreate, Kind::order}) {
    CHECK_FALSE(must_defer(which, Deferral::failures));
    CHECK(must_defer(which, Deferral::supervision));
  }
  CHECK(must_defer(Kind::failed, Deferral::failures));
  CHECK(must_defer(Kind::failed, Deferral::supervision));
  CHECK_FALSE(must_defer(Kind::failed, Deferral::nothing));
  for (const Kind which : {Kind::terminate, Kind::child_terminated, Kind::terminated, Kind::watch,
                           Kind::unwatch, Kind::backoff_over, Kind::subtree_started, Kind::spawn,
                           Kind::reconfigure, Kind::count, Kind::inspect}) {
    CHECK_FALSE(must_defer(which, Deferral::supervision));
  }
}

TEST_CASE("deferred messages come back in their order, before those that came later") {
  DeferredSystemMessages deferred;
  std::array<Envelope, 3> envelopes{envelope_with(SystemMessage::suspend()),
                                    envelope_with(SystemMessage::resume()),
                                    envelope_with(SystemMessage::terminate())};
  deferred.defer(&envelopes[0], Deferral::supervision);
  deferred.defer(&envelopes[1], Deferral::supervision);
  envelopes[2].next = nullptr;
  const Envelope* const list = deferred.release_before(&envelopes[2]);
  CHECK(list == &envelopes[0]);
  CHECK(list->next == &envelopes[1]);
  CHECK(list->next->next == &envelopes[2]);
  CHECK(deferred.is_empty());
  CHECK(deferred.release_before(nullptr) == nullptr);
}

TEST_CASE("to defer a message that need not wait is a bug") {
  DeferredSystemMessages deferred;
  Envelope envelope = envelope_with(SystemMessage::terminate());
  CHECK(assertion_broken_by([&] { deferred.defer(&envelope, Deferral::supervision); }) ==
        "must_defer(system_message_in(*envelope).kind, deferral)");
}

TEST_SUITE_END();

}  // namespace actord::actor
