// SPDX-License-Identifier: Apache-2.0
//
// An actor's subscriptions to the event stream. They survive a restart and end with the actor.
#pragma once

#include <string_view>

#include "actor/turn.hpp"

namespace actord::actor {

void subscribe(Turn& turn, message::TypeId type);
/// Subscribes to every message type whose name begins with `prefix`.
void subscribe_prefix(Turn& turn, std::string_view prefix);
void unsubscribe(Turn& turn, message::TypeId type);

}  // namespace actord::actor
