// SPDX-License-Identifier: Apache-2.0
#include "actor/selection.hpp"

#include "actor/path.hpp"

namespace actord::actor {

std::size_t tell_selection(Turn& turn, std::string_view paths, message::TypeId type,
                           void* message) {
  ThreadState& thread = turn.thread();
  Environment& environment = turn.environment();
  const std::string pattern = absolute_path(turn.path(), paths);
  const std::vector<Ref> selected = environment.select(pattern);
  for (const Ref to : selected) {
    // The last actor gets the original, the others get copies.
    if (to == selected.back()) thread.tell(to, type, message, turn.self);
    else static_cast<void>(thread.tell_copy(to, type, message, turn.self));
  }
  const bool is_one_path = pattern.find('*') == pattern.npos;
  if (!selected.empty() || !is_one_path) return selected.size();
  Envelope* const envelope = thread.take_block();
  message::fill(*envelope, type, environment.types.at(type), message);
  envelope->sender = turn.self;
  ++thread.counters.sent;
  if (type == environment.builtin.identify) {
    ++thread.counters.obsolete;
    thread.identify(*envelope, nobody);
  } else {
    ++thread.counters.undelivered;
    environment.undelivered(thread,
                            {dead_letters, turn.self, type, Undelivered::no_actor, pattern});
  }
  thread.discard(envelope);
  return 0;
}

}  // namespace actord::actor
