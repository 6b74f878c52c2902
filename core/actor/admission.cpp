// SPDX-License-Identifier: Apache-2.0
//
// What a sender does with a message for which a bounded mailbox has no room (supervision.md 153,
// 180y). What the receiver does about it is in mailbox_room.hpp.
#include "actor/thread_state.hpp"

namespace actord::actor {

namespace {

// The text of the failure of a sender.
std::string text_of_full(const ThreadState& thread, Ref to, std::int32_t capacity,
                         message::TypeId type) {
  return "the mailbox of " + thread.path(to) + " is full: it takes " + std::to_string(capacity) +
         (capacity == 1 ? " message" : " messages") + ", and " +
         std::string{thread.environment.types.name(type)} + " came on top";
}

}  // namespace

bool ThreadState::refuses(Ref to) const noexcept {
  const Cell* const cell = find(to);
  if (cell == nullptr || (cell->sender_flags.load(base::acquire) & Cell::bounded) == 0)
    return false;
  if (cell->capacity_left.load(base::relaxed) > 0) return false;
  const MailboxLimits::Row* const row = environment.mailbox_limits.find(*cell);
  return row != nullptr && row->overflow.load(base::relaxed) == Overflow::fail_sender;
}

// A message that another actor only passes on, or that is published, costs that actor nothing.
Ref ThreadState::acting_sender_of(const Envelope& outer) const noexcept {
  if (running.load() == nullptr || is_publishing) return nobody;
  const Envelope& envelope = message::message_in(outer);
  const Ref sender = envelope.has(Envelope::ask) ? envelope.token() : envelope.sender;
  if (sender != environment.cells.ref_of(*running_cell.load())) return nobody;
  // The runtime sends this one in the name of the actor.
  const message::TypeId type = environment.types.first_layout(envelope.type());
  return type != environment.builtin.actor_identity ? sender : nobody;
}

// A mailbox that takes messages beyond its limit takes at most twice as many as that: the receiver
// drops the oldest ones, or the senders stop, only when they get to it.
[[gnu::noinline]] bool ThreadState::admits_beyond_limit(const Cell& cell, Ref to,
                                                        const Envelope& envelope,
                                                        std::int32_t left) {
  if ((cell.sender_flags.load(base::relaxed) & Cell::bounded) == 0) return false;  // backs off
  MailboxLimits::Row* const row = environment.mailbox_limits.find(cell);
  if (row == nullptr) return false;
  const MailboxLimit limit = row->limit();
  if (const std::uint64_t untold = row->note_overflow(now_ns())) log_overflow(to, limit, untold);
  const bool has_place = left > -limit.capacity;
  if (limit.overflow == Overflow::drop_old) return has_place;
  const Ref sender = acting_sender_of(envelope);
  if (limit.overflow == Overflow::fail_sender) {
    const bool is_ask = message::message_in(envelope).has(Envelope::ask);  // it fails by itself
    if (sender != nobody && !is_ask) fail_call_in_progress(to, limit.capacity, envelope);
    return false;
  }
  if (limit.overflow != Overflow::wait) return false;
  if (sender != nobody && sender != to)
    send_system(sender, SystemMessage::wait_for_room(to, limit.push_timeout_ns));
  return has_place;
}

// The call of the plugin goes on, and has failed when it returns: as where its plugin has reached a
// limit.
void ThreadState::fail_call_in_progress(Ref to, std::int32_t capacity, const Envelope& envelope) {
  const FailurePtr failure =
      recorder.make(causes::mailbox_full,
                    text_of_full(*this, to, capacity, message::message_in(envelope).type()));
  if (!handler_errors.failure) handler_errors.failure = failure;
  if (!over_limit) over_limit = failure;
}

void ThreadState::log_overflow(Ref to, const MailboxLimit& limit, std::uint64_t untold) const {
  log.emit(log::Level::warning, "mailbox.overflow", "a mailbox is full, and more messages come",
           {{"actor.path", path(to)},
            {"mailbox.capacity", limit.capacity},
            {"mailbox.policy", name_of(limit.overflow)},
            {"overflows", untold}});
}

}  // namespace actord::actor
