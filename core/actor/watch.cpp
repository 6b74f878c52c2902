// SPDX-License-Identifier: Apache-2.0
//
// Death watch: tells every watcher of an actor, exactly once, that it has stopped (supervision.md
// H).
//
// The watched cell knows its watchers, the watcher knows whom it watches; the notice is system mail
// and becomes a Terminated in the watcher's mailbox, so that what the dead one sent before comes
// before.
#include <algorithm>

#include "actor/activation.hpp"

namespace actord::actor {

void Activation::watch(Ref whom) {
  if (whom == self || whom == nobody) return;
  if (!organs().watches.watching.insert(whom).second) return;
  SystemBody body;
  body.subject = self;
  local_.order(whom, Order::watch, body);
}

void Activation::unwatch(Ref whom) {
  if (cell_.organs == nullptr) return;
  Watches& watches = cell_.organs->watches;
  watches.announced.erase(whom);
  if (watches.watching.erase(whom) == 0) return;
  SystemBody body;
  body.subject = self;
  local_.order(whom, Order::unwatch, body);
}

void Activation::unwatch_all() {
  if (cell_.organs == nullptr) return;
  Watches& watches = cell_.organs->watches;
  watches.announced.clear();
  for (const Ref whom : watches.watching) {
    SystemBody body;
    body.subject = self;
    local_.order(whom, Order::unwatch, body);
  }
  watches.watching.clear();
}

void Activation::on_watch(Ref watcher) {
  auto& watchers = organs().watches.watchers;
  if (std::ranges::find(watchers, watcher) == watchers.end()) watchers.push_back(watcher);
}

void Activation::on_unwatch(Ref watcher) {
  if (cell_.organs != nullptr) std::erase(cell_.organs->watches.watchers, watcher);
}

// A notice about somebody we do not watch is only the parent's book-keeping, or forged
// (supervision.md 125).
void Activation::on_terminated(Ref who, bool existence_confirmed, StopReason reason) {
  if (cell_.organs == nullptr) return;
  Watches& watches = cell_.organs->watches;
  if (watches.watching.erase(who) == 0 || cell_.stage == Stage::terminating) return;
  watches.announced.insert(who);
  Envelope* const envelope = local_.take_block();
  const message::TypeId type = environment_.builtin.terminated;
  void* const at = message::prepare(*envelope, type, environment_.types.at(type));
  environment_.construct_terminated(at, who, existence_confirmed, reason);
  envelope->sender = who;
  local_.push_always(self, envelope);
}

// The order is part of the contract (supervision.md 131): the parent first, then the watchers.
void Activation::tell_the_bereaved() {
  std::vector<Ref> watchers;
  StopReason reason = StopReason::stopped;
  if (cell_.organs != nullptr) {
    watchers = std::move(cell_.organs->watches.watchers);
    reason = cell_.organs->ending.reason;
    delete std::exchange(cell_.organs, nullptr);
  }
  SystemBody body;
  body.subject = self;
  body.reason = reason;
  body.flags = SystemBody::existence_confirmed;
  const Ref heir = parent;
  if (heir != nobody) local_.order(heir, Order::child_terminated, body);
  // Now the cell is the parent's to recycle.
  for (const Ref watcher : watchers) {
    if (watcher != heir) local_.order(watcher, Order::terminated, body);
  }
  if (heir == nobody) environment_.root_stopped();
}

}  // namespace actord::actor
