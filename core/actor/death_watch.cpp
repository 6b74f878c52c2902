// SPDX-License-Identifier: Apache-2.0
#include "actor/death_watch.hpp"

#include <algorithm>

#include "message/canonical_text.hpp"

namespace actord::actor {

// ---- as watcher ---------------------------------------------------------------------------------

base::Result<void> DeathWatch::watch(Turn& turn, Ref whom, message::TypeId type, void* told_by) {
  if (whom == turn.self || whom == nobody) return {};
  ThreadState& thread = turn.thread();
  if (const auto known = books_.watching.find(whom); known != books_.watching.end()) {
    if (is_told_by(turn, known->second, type, told_by)) return {};
    return base::Error{thread.path(whom) +
                       " is watched already, with another message: unwatch it first"};
  }
  Envelope* told = nullptr;
  if (type != 0) {
    told = thread.take_block();
    message::fill(*told, type, turn.environment().types.at(type), told_by);
    told->sender = whom;
  }
  books_.watching.emplace(whom, told);
  thread.send_system(whom, SystemMessage::watch(turn.self));
  return {};
}

bool DeathWatch::is_told_by(Turn& turn, const Envelope* told, message::TypeId type,
                            const void* told_by) {
  if (told == nullptr || type == 0) return told == nullptr && type == 0;
  if (told->type() != type) return false;
  const message::MessageType& of = turn.environment().types.at(type);
  return message::canonical_text(of, const_cast<Envelope*>(told)->payload()) ==
         message::canonical_text(of, told_by);
}

bool DeathWatch::forget(Turn& turn, Watching& watches, Ref whom) {
  const auto node = watches.extract(whom);
  if (node && node.mapped() != nullptr) turn.thread().discard(node.mapped());
  return !node.empty();
}

void DeathWatch::forget_all(Turn& turn, Watching& watches) {
  for (const auto& [who, told] : watches) {
    if (told != nullptr) turn.thread().discard(told);
  }
  watches.clear();
}

void DeathWatch::unwatch(Turn& turn, Ref whom) {
  forget(turn, books_.announced, whom);
  if (!forget(turn, books_.watching, whom)) return;
  turn.thread().send_system(whom, SystemMessage::unwatch(turn.self));
}

void DeathWatch::unwatch_all(Turn& turn) {
  for (const auto& [whom, told] : books_.watching)
    turn.thread().send_system(whom, SystemMessage::unwatch(turn.self));
  forget_all(turn, books_.watching);
  forget_all(turn, books_.announced);
}

bool DeathWatch::announce(Turn& turn, Ref who) {
  auto watched = books_.watching.extract(who);
  if (!watched) return false;
  const auto announced = books_.announced.insert(std::move(watched));
  if (!announced.inserted && announced.node.mapped() != nullptr)
    turn.thread().discard(announced.node.mapped());
  return true;
}

DeathWatch::Announcement DeathWatch::take_announced(Ref who) {
  const auto announced = books_.announced.extract(who);
  if (!announced) return {false, nullptr};
  return {true, announced.mapped()};
}

void DeathWatch::put_terminated(Turn& turn, const SystemMessage& notice, bool existence_confirmed) {
  ThreadState& thread = turn.thread();
  Environment& environment = turn.environment();
  const std::uint64_t token = notice.token();
  Envelope* const envelope = thread.take_block();
  const message::TypeId type = environment.builtin.terminated;
  const std::uint32_t flags = token != 0 ? Envelope::reply | Envelope::correlated : 0u;
  void* const at = message::prepare(*envelope, type, environment.types.at(type), flags, token);
  environment.construct_terminated(at, notice.subject, existence_confirmed, notice.reason);
  envelope->sender = notice.subject;
  thread.push_always(turn.self, envelope);
}

// ---- as watched ---------------------------------------------------------------------------------

void DeathWatch::add(Turn& turn, Watcher watcher) {
  if (std::ranges::find(books_.watchers, watcher) != books_.watchers.end()) return;
  books_.watchers.push_back(watcher);
  turn.log_lifecycle("now watched by", watcher.who);
}

void DeathWatch::remove(Turn& turn, Watcher watcher) {
  if (std::erase(books_.watchers, watcher) != 0)
    turn.log_lifecycle("no longer watched by", watcher.who);
}

}  // namespace actord::actor
