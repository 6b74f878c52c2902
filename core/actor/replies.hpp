// SPDX-License-Identifier: Apache-2.0
//
// How a handler answers the current message or forwards it. All functions are called during a turn
// of the actor.
#pragma once

#include "actor/turn.hpp"

namespace actord::actor {

/// Sends `*answer`, which is moved from, to the current sender. If the current message is an ask,
/// `*answer` completes the ask.
void reply(Turn& turn, message::TypeId type, void* answer);
/// Completes the current ask with a failure. Does nothing if the current message is no ask.
void reply_failure(Turn& turn, const actord_failure& failure);
/// Sends a copy of the current message to `to`. If `sender` is not the current sender, the copy is
/// no ask, because an answer to it can reach only the asker. Does nothing if there is no current
/// message, or if the message cannot be copied.
void forward(Turn& turn, Ref to, Ref sender);

}  // namespace actord::actor
