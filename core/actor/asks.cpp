// SPDX-License-Identifier: Apache-2.0
#include "actor/asks.hpp"

#include "actor/token.hpp"

namespace actord::actor {

namespace {

// Ends the watch of a graceful stop that is no longer pending (supervision.md 137).
void unwatch_end(Turn& turn, const Ask& ask, std::uint64_t token) {
  turn.thread().send_system(ask.target, SystemMessage::unwatch(turn.self, token));
}

}  // namespace

std::uint64_t Asks::await(Turn& turn, Ask ask, std::int64_t timeout_ns) {
  static_assert(token::make(token::Kind::ask, 1) == 1, "the token of an ask is its key");
  const std::uint64_t token = token::make(token::Kind::ask, asks_.add(ask));
  asks_.find(token)->timeout = turn.thread().timer_after(timeout_ns, turn.self, token);
  return token;
}

void Asks::ask(Turn& turn, Ref to, message::TypeId type, void* question, std::int64_t timeout_ns,
               actord_reply_handler handler) {
  const std::uint64_t token = await(turn, {handler, to, type}, timeout_ns);
  turn.thread().tell(to, type, question, turn.self, Envelope::ask | Envelope::correlated, token);
}

void Asks::ask_for_end(Turn& turn, Ref who, std::int64_t timeout_ns, actord_reply_handler handler) {
  const std::uint64_t token = await(turn, {handler, who, 0}, timeout_ns);
  turn.thread().send_system(who, SystemMessage::watch(turn.self, token));
}

Ask Asks::take_timed_out(Turn& turn, std::uint64_t token) {
  const Ask ask = asks_.take(token);
  if (ask.is_graceful_stop()) unwatch_end(turn, ask, token);
  return ask;
}

FailurePtr Asks::timeout_failure(Turn& turn, const Ask& ask) {
  const std::string whom = turn.thread().path(ask.target);
  return turn.builtin_failure(
      causes::ask_timeout, ask.is_graceful_stop()
                               ? whom + " did not stop in time"
                               : std::string{turn.environment().types.name(ask.question)} + " to " +
                                     whom + " was not answered in time");
}

void Asks::cancel_pending(Turn& turn) {
  asks_.take_all([&](std::uint64_t key, const Ask& ask) {
    turn.thread().cancel(ask.timeout);
    if (ask.is_graceful_stop()) unwatch_end(turn, ask, key);
  });
}

}  // namespace actord::actor
