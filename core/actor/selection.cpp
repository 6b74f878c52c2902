// SPDX-License-Identifier: Apache-2.0
#include "actor/selection.hpp"

#include "actor/replies.hpp"

namespace actord::actor {

namespace {

// Counts and publishes a message to a path without an actor.
void report_undelivered(Turn& turn, const Selected& selected, message::TypeId type, void* content,
                        Ref sender) {
  ThreadState& thread = turn.thread();
  ++thread.counters.sent;
  ++thread.counters.undelivered;
  turn.environment().undelivered(
      thread, {dead_letters, sender, type, Undelivered::no_actor, content, selected.pattern});
}

// The message reaches no actor.
void tell_none(Turn& turn, const Selected& selected, message::TypeId type, void* message,
               Ref sender) {
  if (!selected.is_one_path()) return;
  const Environment& environment = turn.environment();
  if (environment.types.first_layout(type) != environment.builtin.identify)
    return report_undelivered(turn, selected, type, message, turn.self);
  ThreadState& thread = turn.thread();
  Envelope* const envelope = thread.wrap(type, message, sender);
  ++thread.counters.sent;
  ++thread.counters.obsolete;
  thread.identify(*envelope, nobody);
  thread.discard(envelope);
}

void forward_to_none(Turn& turn, const Selected& selected, const Envelope& current) {
  if (selected.is_one_path())
    report_undelivered(turn, selected, current.type(), nullptr, turn.sending_actor());
  if (current.has(Envelope::ask))
    turn.thread().fail_ask(current.token(), current.sender, dead_letters,
                           no_recipient(turn, current.type(), selected.pattern));
}

}  // namespace

FailurePtr no_recipient(Turn& turn, message::TypeId type, const std::string& pattern) {
  return turn.builtin_failure(causes::no_recipient,
                              std::string{turn.environment().types.name(type)} + " did not reach " +
                                  pattern + ": no actor has such a path");
}

Selected select(Turn& turn, std::string_view paths) {
  Selected selected{absolute_path(turn.path(), paths), {}};
  selected.actors = turn.environment().select(selected.pattern);
  return selected;
}

void tell_all(Turn& turn, const Selected& selected, message::TypeId type, void* message,
              Ref sender) {
  if (selected.actors.empty()) return tell_none(turn, selected, type, message, sender);
  ThreadState& thread = turn.thread();
  for (const Ref to : selected.actors) {
    // The last actor gets the original, the others get copies.
    if (to == selected.actors.back()) thread.tell(to, type, message, sender);
    else static_cast<void>(thread.tell_copy(to, type, message, sender));
  }
}

void forward_all(Turn& turn, const Selected& selected) {
  Envelope* const current = turn.current();
  if (current == nullptr || turn.message_type == 0) return;
  if (selected.actors.size() == 1) return forward(turn, selected.actors.front(), turn.sender);
  if (selected.actors.empty()) return forward_to_none(turn, selected, *current);
  for (const Ref to : selected.actors) {
    Envelope* const copy = turn.copy_of(*current);
    if (copy == nullptr) return;
    copy->type_and_flags &= ~std::uint32_t{Envelope::ask};
    turn.thread().push(to, copy);
  }
}

}  // namespace actord::actor
