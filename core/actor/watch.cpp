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
#include "message/canonical_text.hpp"

namespace actord::actor {

bool Activation::watch(Ref whom, message::TypeId type, void* told_by, std::string& why_not) {
  if (whom == self || whom == nobody) return true;
  auto& watching = organs().watches.watching;
  if (const auto known = watching.find(whom); known != watching.end()) {
    if (is_told_by(known->second, type, told_by)) return true;
    why_not = local_.path(whom) + " is watched already, and its end is to be told otherwise: " +
              "unwatch it first";  // supervision.md 124
    return false;
  }
  Envelope* told = nullptr;
  if (type != 0) {
    told = local_.take_block();
    message::fill(*told, type, environment_.types.at(type), told_by);
    told->sender = whom;
  }
  watching.emplace(whom, told);
  SystemBody body;
  body.subject = self;
  local_.order(whom, Order::watch, body);
  return true;
}

bool Activation::is_told_by(const Envelope* told, message::TypeId type, const void* told_by) const {
  if (told == nullptr || type == 0) return told == nullptr && type == 0;
  if (told->type() != type) return false;
  const message::MessageType& of = environment_.types.at(type);
  return message::canonical_text(of, const_cast<Envelope*>(told)->payload()) ==
         message::canonical_text(of, told_by);
}

void Activation::forget(std::unordered_map<Ref, Envelope*>& watches) {
  for (const auto& [who, told] : watches) {
    if (told != nullptr) local_.discard(told);
  }
  watches.clear();
}

void Activation::unwatch(Ref whom) {
  if (cell_.organs == nullptr) return;
  Watches& watches = cell_.organs->watches;
  const auto forget_one = [&](std::unordered_map<Ref, Envelope*>& in) {
    const auto node = in.extract(whom);
    if (node && node.mapped() != nullptr) local_.discard(node.mapped());
    return !node.empty();
  };
  forget_one(watches.announced);
  if (!forget_one(watches.watching)) return;
  SystemBody body;
  body.subject = self;
  local_.order(whom, Order::unwatch, body);
}

void Activation::unwatch_all() {
  if (cell_.organs == nullptr) return;
  Watches& watches = cell_.organs->watches;
  for (const auto& [whom, told] : watches.watching) {
    SystemBody body;
    body.subject = self;
    local_.order(whom, Order::unwatch, body);
  }
  forget(watches.watching);
  forget(watches.announced);
}

void Activation::on_watch(Watches::Watcher watcher) {
  auto& watchers = organs().watches.watchers;
  if (std::ranges::find(watchers, watcher) != watchers.end()) return;
  watchers.push_back(watcher);
  log_lifecycle("now watched by", watcher.who);
}

void Activation::on_unwatch(Watches::Watcher watcher) {
  if (cell_.organs == nullptr) return;
  if (std::erase(cell_.organs->watches.watchers, watcher) != 0)
    log_lifecycle("no longer watched by", watcher.who);
}

// A notice about somebody we do not watch is only the parent's book-keeping, or forged
// (supervision.md 125).
void Activation::on_terminated(const SystemBody& notice, bool existence_confirmed) {
  if (cell_.organs == nullptr) return;
  Watches& watches = cell_.organs->watches;
  const Ref who = notice.subject;
  const auto token = static_cast<std::uint64_t>(notice.number);
  if (token != 0) {
    if (cell_.organs->asks.find(token) == nullptr)
      return;  // too late, or of an earlier incarnation
  } else {
    const auto found = watches.watching.find(who);
    if (found == watches.watching.end()) return;
    Envelope* const told = found->second;
    watches.watching.erase(found);
    const bool is_news = watches.announced.emplace(who, told).second;
    if (!is_news && told != nullptr) local_.discard(told);
  }
  Envelope* const envelope = local_.take_block();
  const message::TypeId type = environment_.builtin.terminated;
  const std::uint32_t flags = token != 0 ? Envelope::reply | Envelope::correlated : 0u;
  void* const at = message::prepare(*envelope, type, environment_.types.at(type), flags, token);
  environment_.construct_terminated(at, who, existence_confirmed, notice.reason);
  envelope->sender = who;
  local_.push_always(self, envelope);
}

// The order is part of the contract (supervision.md 131): the parent first, then the watchers.
void Activation::tell_the_bereaved() {
  Organs* const o = std::exchange(cell_.organs, nullptr);
  if (Family* const family = std::exchange(cell_.family, nullptr)) {
    family->~Family();
    local_.blocks.give(family, base::block_of<Family>);
  }
  SystemBody body;
  body.subject = self;
  const StopReason reason = body.reason = cell_.stop_reason;
  body.flags = SystemBody::existence_confirmed;
  const Ref heir = parent;
  if (heir != nobody) local_.order(heir, Order::child_terminated, body);
  // Now the cell is the parent's to recycle.
  if (o != nullptr) {
    tell_watchers(heir, std::move(o->watches.watchers), reason);
    delete o;
  }
  if (heir == nobody) environment_.root_stopped();
}

void Activation::tell_watchers(Ref heir, std::vector<Watches::Watcher> watchers,
                               StopReason reason) {
  SystemBody body;
  body.subject = self;
  body.reason = reason;
  body.flags = SystemBody::existence_confirmed;
  for (const Watches::Watcher& watcher : watchers) {
    if (watcher.who == heir && watcher.token == 0) continue;  // it has heard already
    body.number = static_cast<std::int64_t>(watcher.token);
    local_.order(watcher.who, Order::terminated, body);
  }
}

}  // namespace actord::actor
