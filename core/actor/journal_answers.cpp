// SPDX-License-Identifier: Apache-2.0
//
// Persistent actors: an answer of the journal becomes calls of the plugin, and what a call has
// persisted goes to the journal. What is done about a failure of such a call is decided here,
// because Persistence stands below Recovery.
#include "actor/activation.hpp"

namespace actord::actor {

void Activation::on_journal(const SystemMessage& received) {
  CellExtras* const extras = find_extras();
  if (extras == nullptr || extras->persistence == nullptr) return;
  if (received.request == nullptr) return extras->persistence->on_timeout(*this, received.token());
  JournalRequestPtr answer(static_cast<JournalRequest*>(received.request));
  if (FailurePtr failure = extras->persistence->on_answer(*this, std::move(answer)))
    Recovery::fail(*this, std::move(failure), Phase::persisted);
  Recovery::end_order(*this);
}

void Activation::flush() {
  if (CellExtras* const extras = find_extras(); extras != nullptr && extras->persistence != nullptr)
    extras->persistence->flush(*this);
}

}  // namespace actord::actor
