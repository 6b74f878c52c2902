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
/// Completes the ask with a failure. False if `answer_ref` is the ref of something else.
bool fail_ask(Turn& turn, Ref answer_ref, const actord_failure& failure);
/// The actor that asked, if the current message is an ask; otherwise `nobody`.
Ref asker(const Turn& turn) noexcept;
/// Whether the ask `question`, on which the actor has failed, is to fail with it: no other one may
/// answer it, and it is configured so (supervision.md 188).
bool fails_with_handler(const Turn& turn, const Envelope& question) noexcept;
/// Answers it with the failure, unless a hook has answered it meanwhile or has taken its sender.
void fail_question(Turn& turn, Envelope& question, FailurePtr failure) noexcept;
/// Sends a copy of the current message to `to`. If `sender` is not the current sender, the copy is
/// no ask, because an answer to it can reach only the asker. Does nothing if there is no current
/// message, or if the message cannot be copied.
void forward(Turn& turn, Ref to, Ref sender);

}  // namespace actord::actor
