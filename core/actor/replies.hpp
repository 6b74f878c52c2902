// SPDX-License-Identifier: Apache-2.0
//
// What a handler does with the current message besides handling it: answer it, or pass it on. All
// are called during a turn of the actor.
#pragma once

#include "actor/turn.hpp"

namespace actord::actor {

/// Sends `*answer`, which is moved from, to the current sender; if the message is an ask, as its
/// answer.
void reply(Turn& turn, message::TypeId type, void* answer);
/// Answers the current ask with a failure; nothing if the message is no ask.
void reply_failure(Turn& turn, const actord_failure& failure);
/// Sends a copy of the current message. With another sender than the one who asked it is no ask any
/// more, because an answer finds only the asker.
void forward(Turn& turn, Ref to, Ref sender);

}  // namespace actord::actor
