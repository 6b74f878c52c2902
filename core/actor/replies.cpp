// SPDX-License-Identifier: Apache-2.0
#include "actor/replies.hpp"

namespace actord::actor {

namespace {

// The envelope flags and the token of an answer. Both are 0 if the current message is no ask: then
// the answer is an ordinary message.
struct ReturnAddress {
  std::uint32_t flags = 0;
  std::uint64_t token = 0;
};

ReturnAddress return_address(const Envelope* asked) {
  if (asked == nullptr || !asked->has(Envelope::ask)) return {};
  return {Envelope::reply | Envelope::correlated, asked->token()};
}

}  // namespace

void reply(Turn& turn, message::TypeId type, void* answer) {
  const ReturnAddress back = return_address(turn.current());
  ThreadState& thread = turn.thread();
  Envelope* const envelope = thread.take_block();
  message::fill(*envelope, type, turn.environment().types.at(type), answer, back.flags, back.token);
  envelope->sender = turn.self;
  if (back.flags != 0) thread.push_always(turn.sender, envelope);
  else thread.push(turn.sender, envelope);
}

void reply_failure(Turn& turn, const actord_failure& failure) {
  const ReturnAddress back = return_address(turn.current());
  if (back.flags == 0) return;
  ThreadState& thread = turn.thread();
  thread.fail_ask(turn.sender, back.token, turn.self,
                  thread.recorder.copy(failure, Payload::copied));
}

void forward(Turn& turn, Ref to, Ref sender) {
  // A message type of 0: an ask was completed with a failure, so that there is no message.
  if (turn.current() == nullptr || turn.message_type == 0) return;
  Envelope* const copy = turn.copy_of(*turn.current());
  if (copy == nullptr) return;
  if (sender != copy->sender) copy->type_and_flags &= ~std::uint32_t{Envelope::ask};
  copy->sender = sender;
  turn.thread().push(to, copy);
}

}  // namespace actord::actor
