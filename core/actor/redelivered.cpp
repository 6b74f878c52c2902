// SPDX-License-Identifier: Apache-2.0
//
// A message on which the actor has failed before is handled once more. The call is here, because
// Redelivery stands below the dispatch.
#include "actor/activation.hpp"

namespace actord::actor {

void Activation::redeliver(Envelope* place) {
  Redelivery& redelivery = *extras().redelivery;
  const auto [taken, trace] = redelivery.take(*this, place);
  if (taken == nullptr) return;
  if (trace.span_id == 0) handle_one(taken);
  else handle_in_span(taken, trace);
  redelivery.end_current();
}

}  // namespace actord::actor
