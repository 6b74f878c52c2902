// SPDX-License-Identifier: Apache-2.0
//
// An actor's subscriptions to the event stream. They survive a restart and end with the actor.
#pragma once

#include "actor/turn.hpp"

namespace actord::actor {

void subscribe(Turn& turn, message::TypeId type);
void subscribe(Turn& turn, const TypeGroup& group);
void unsubscribe(Turn& turn, message::TypeId type);
void unsubscribe(Turn& turn, const TypeGroup& group);

}  // namespace actord::actor
