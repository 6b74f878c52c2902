// SPDX-License-Identifier: Apache-2.0
#include "actor/death_watch.hpp"

#include <algorithm>

#include "message/canonical_text.hpp"

namespace actord::actor {

// ---- as watcher ---------------------------------------------------------------------------------

base::Result<void> DeathWatch::watch(Turn& turn, Ref whom, message::TypeId type, void* message) {
  if (whom == turn.self || whom == nobody) return {};
  ThreadState& thread = turn.thread();
  if (const auto known = watches_.watching.find(whom); known != watches_.watching.end()) {
    if (is_same_watch(turn, known->second, type, message)) return {};
    return base::Error{thread.path(whom) +
                       " is already watched with a different message: unwatch it first"};
  }
  Envelope* replacement = nullptr;
  if (type != 0) {
    replacement = thread.take_block();
    message::fill(*replacement, type, turn.environment().types.at(type), message);
    replacement->sender = whom;
  }
  watches_.watching.emplace(whom, replacement);
  thread.send_system(whom, SystemMessage::watch(turn.self));
  return {};
}

bool DeathWatch::is_same_watch(Turn& turn, const Envelope* replacement, message::TypeId type,
                               const void* message) {
  if (replacement == nullptr || type == 0) return replacement == nullptr && type == 0;
  if (replacement->type() != type) return false;
  const message::MessageType& of = turn.environment().types.at(type);
  return message::canonical_text(of, const_cast<Envelope*>(replacement)->payload()) ==
         message::canonical_text(of, message);
}

bool DeathWatch::forget(Turn& turn, Watching& map, Ref whom) {
  const auto node = map.extract(whom);
  if (node && node.mapped() != nullptr) turn.thread().discard(node.mapped());
  return !node.empty();
}

void DeathWatch::forget_all(Turn& turn, Watching& map) {
  for (const auto& [who, replacement] : map) {
    if (replacement != nullptr) turn.thread().discard(replacement);
  }
  map.clear();
}

void DeathWatch::unwatch(Turn& turn, Ref whom) {
  forget(turn, watches_.announced, whom);
  if (!forget(turn, watches_.watching, whom)) return;
  turn.thread().send_system(whom, SystemMessage::unwatch(turn.self));
}

void DeathWatch::unwatch_all(Turn& turn) {
  for (const auto& [whom, replacement] : watches_.watching)
    turn.thread().send_system(whom, SystemMessage::unwatch(turn.self));
  forget_all(turn, watches_.watching);
  forget_all(turn, watches_.announced);
}

bool DeathWatch::announce(Turn& turn, Ref who) {
  auto watched = watches_.watching.extract(who);
  if (!watched) return false;
  const auto announced = watches_.announced.insert(std::move(watched));
  if (!announced.inserted && announced.node.mapped() != nullptr)
    turn.thread().discard(announced.node.mapped());
  return true;
}

void DeathWatch::announce_again(Ref who) { watches_.announced.emplace(who, nullptr); }

DeathWatch::Announcement DeathWatch::take_announced(Ref who) {
  const auto announced = watches_.announced.extract(who);
  if (!announced) return {false, nullptr};
  return {true, announced.mapped()};
}

void DeathWatch::put_terminated(Turn& turn, const SystemMessage& notice) {
  ThreadState& thread = turn.thread();
  Environment& environment = turn.environment();
  const std::uint64_t token = notice.token();
  Envelope* const envelope = thread.take_block();
  const message::TypeId type = environment.builtin.terminated;
  const std::uint32_t flags = token != 0 ? Envelope::reply | Envelope::correlated : 0u;
  void* const at = message::prepare(*envelope, type, environment.types.at(type), flags, token);
  environment.construct_terminated(at, notice.subject,
                                   notice.has(SystemMessage::existence_confirmed), notice.reason);
  envelope->sender = notice.subject;
  thread.push_always(turn.self, envelope);
}

// ---- as watched ---------------------------------------------------------------------------------

void DeathWatch::add(Turn& turn, Watcher watcher) {
  if (std::ranges::find(watches_.watchers, watcher) != watches_.watchers.end()) return;
  watches_.watchers.push_back(watcher);
  turn.log_lifecycle("now watched by", watcher.who);
}

void DeathWatch::remove(Turn& turn, Watcher watcher) {
  if (std::erase(watches_.watchers, watcher) != 0)
    turn.log_lifecycle("no longer watched by", watcher.who);
}

}  // namespace actord::actor
