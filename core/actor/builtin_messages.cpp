// SPDX-License-Identifier: Apache-2.0
//
// The messages that the runtime handles for every actor: PoisonPill, Kill, Identify, and the
// Terminated of an actor that is no longer watched.
#include "actor/activation.hpp"

#include <algorithm>

namespace actord::actor {

void BuiltinTypes::find_in(const message::TypeRegistry& types) {
  poison_pill = types.find("actord.PoisonPill/1");
  kill = types.find("actord.Kill/1");
  terminated = types.find("actord.Terminated/1");
  receive_timeout = types.find("actord.ReceiveTimeout/1");
  identify = types.find("actord.Identify/1");
  last = std::max({poison_pill, kill, terminated, receive_timeout, identify});
  actor_identity = types.find("actord.ActorIdentity/1");
  perform = types.find("actord.Perform/1");
  remove_routee = types.find("actord.RemoveRoutee/1");
  adjust_pool_size = types.find("actord.AdjustPoolSize/1");
}

void Activation::on_poison_or_kill(Envelope* envelope) {
  const bool is_poison = message_type == environment().builtin.poison_pill;
  if (environment().debug.autoreceive.load(base::relaxed)) {
    log_message("actor.autoreceive", is_poison ? "received PoisonPill" : "received Kill");
  }
  if (is_poison) {
    ++thread().counters.handled;
    stop_self(StopReason::poison, sending_actor());
  } else {
    ++thread().counters.failed;
    Recovery::fail(*this, builtin_failure(causes::killed, "killed"), Phase::receive);
  }
  finish(envelope);
}

void Activation::on_identify(Envelope* envelope) {
  if (environment().debug.autoreceive.load(base::relaxed))
    log_message("actor.autoreceive", "received Identify");
  thread().identify(*envelope, self);
  ++thread().counters.handled;
  finish(envelope);
}

// True: this Terminated is finished. The actor no longer watches the sender, or the message that
// its watch asked for was dispatched instead.
bool Activation::on_terminated_message(Envelope* envelope) {
  const auto [is_valid, replacement] = extras().death_watch.take_announced(sender);
  if (is_valid && replacement == nullptr) {
    if (environment().debug.autoreceive.load(base::relaxed))
      log_message("actor.autoreceive", "received Terminated");
    return false;
  }
  // unwatched in the meantime (supervision.md 121), or replaced by the watch's own message (123)
  ++thread().counters.obsolete;
  finish(envelope);
  if (replacement == nullptr) return true;
  replacement->target_generation = generation_of(self);
  ++thread().counters.sent;
  dispatch(replacement);
  return true;
}

}  // namespace actord::actor
