// SPDX-License-Identifier: Apache-2.0
#include "actor/mailbox_order.hpp"

#include <bit>

#include "actor/cell_extras.hpp"
#include "actor/mailbox_room.hpp"
#include "actor/token.hpp"

namespace actord::actor {

namespace {

constexpr std::uint64_t bit(unsigned rank) noexcept { return std::uint64_t{1} << rank; }

// A tick counts as the message of its timer, or as the one whose place it is.
message::TypeId type_of(Turn& turn, const Envelope& outer) {
  const Envelope& envelope = message::message_in(outer);
  if (!envelope.has(Envelope::tick) || envelope.type() != 0) return envelope.type();
  const std::uint64_t token = envelope.token();
  if (token::kind_of(token) == token::Kind::receive_timeout)
    return turn.environment().builtin.receive_timeout;
  if (token::kind_of(token) != token::Kind::key) return 0;
  return turn.find_extras()->timers.type_of(token::rest_of(token));
}

}  // namespace

unsigned MailboxOrder::rank_of(Turn& turn, const Envelope& envelope) const {
  return ranks_->of(type_of(turn, envelope));
}

Envelope* MailboxOrder::last_before(unsigned rank) const noexcept {
  const std::uint64_t earlier = filled_ & (bit(rank) - 1);
  return earlier == 0 ? nullptr : last_[static_cast<unsigned>(std::bit_width(earlier)) - 1];
}

void MailboxOrder::append(Turn& turn, Envelope* envelope) {
  const unsigned rank = rank_of(turn, *envelope);
  Envelope* const before = last_[rank] != nullptr ? last_[rank] : last_before(rank);
  turn.cell().inbox.insert_after(before, envelope);
  last_[rank] = envelope;
  filled_ |= bit(rank);
}

void MailboxOrder::append_all(Turn& turn, Envelope* list) {
  while (list != nullptr) {
    Envelope* const envelope = std::exchange(list, list->next);
    if (envelope->has(Envelope::packet)) append_content(turn, message::Packet::of(*envelope));
    else append(turn, envelope);
  }
}

void MailboxOrder::append_content(Turn& turn, message::Packet& packet) {
  const bool is_for_us = packet.target_generation == generation_of(turn.self);
  const Ref to = receiver_of(packet);
  EnvelopeList content = turn.thread().unpack(packet);
  if (turn.cell().inbox.is_marker(&packet)) is_marker_taken_ = true;
  else turn.thread().free_any_block(&packet);
  if (!is_for_us) return turn.thread().send_all_to_dead_letters(to, content);
  for (Envelope* list = content.take(); list != nullptr;)
    append(turn, std::exchange(list, list->next));
}

Envelope* MailboxOrder::take_first(MailboxOwner& inbox) noexcept {
  Envelope* const first = inbox.pop();
  if (first == nullptr) return nullptr;
  const auto rank = static_cast<unsigned>(std::countr_zero(filled_));
  if (last_[rank] == first) {
    last_[rank] = nullptr;
    filled_ &= ~bit(rank);
  }
  if (inbox.is_marker(first)) is_marker_taken_ = true;
  return first;
}

// The marker of the mailbox stays in the list until it is taken, and its block until there is
// another marker. The turn fetches by itself only when no message is left, so the list that it has
// fetched begins with a new marker, which is in it.
Envelope* MailboxOrder::next(Turn& turn, Envelope* popped) {
  Cell& cell = turn.cell();
  ThreadState& thread = turn.thread();
  cell.inbox.push_front(popped, popped);
  if (filled_ == 0) sort_fetched(turn);
  Envelope* const newer = cell.inbox.fetch_more(
      cell.mailbox, is_marker_taken_, [&](Envelope* block) { thread.free_any_block(block); });
  if (newer != nullptr) {
    is_marker_taken_ = false;
    append_all(turn, newer);
  }
  drop_surplus(turn);
  return take_first(cell.inbox);
}

void MailboxOrder::sort_fetched(Turn& turn) {
  Envelope* const fetched = turn.cell().inbox.take_fetched();
  if (fetched == nullptr) return;
  is_marker_taken_ = false;
  append_all(turn, fetched);
}

void MailboxOrder::put_in_front(Turn& turn, EnvelopeList list) {
  if (filled_ == 0) sort_fetched(turn);
  // Each is put before those of its rank, so the last one has to go first.
  Envelope* reversed = nullptr;
  for (Envelope* e = list.take(); e != nullptr;) {
    Envelope* const next = std::exchange(e->next, reversed);
    reversed = std::exchange(e, next);
  }
  while (reversed != nullptr) {
    Envelope* const envelope = std::exchange(reversed, reversed->next);
    const unsigned rank = rank_of(turn, *envelope);
    turn.cell().inbox.insert_after(last_before(rank), envelope);
    if (last_[rank] == nullptr) last_[rank] = envelope;
    filled_ |= bit(rank);
  }
}

// ---- too many messages --------------------------------------------------------------------------

Envelope* MailboxOrder::take_dispensable(Turn& turn) {
  MailboxOwner& inbox = turn.cell().inbox;
  for (std::uint64_t left = filled_; left != 0;) {
    const auto rank = static_cast<unsigned>(std::bit_width(left)) - 1;
    left &= ~bit(rank);
    Envelope* const start = last_before(rank);
    Envelope* before = start;
    for (; before != last_[rank]; before = inbox.after(before)) {
      Envelope* const each = inbox.after(before);
      if (!is_dispensable(turn, *each)) continue;
      inbox.remove_after(before);
      if (each != last_[rank]) return each;
      last_[rank] = before != start ? before : nullptr;
      if (before == start) filled_ &= ~bit(rank);
      return each;
    }
  }
  return nullptr;
}

void MailboxOrder::drop_surplus(Turn& turn) {
  while (has_surplus(turn)) {
    Envelope* const dropped = take_dispensable(turn);
    if (dropped == nullptr) return;
    if (turn.cell().inbox.is_marker(dropped)) is_marker_taken_ = true;
    drop_as_surplus(turn, dropped);
  }
}

Envelope* next_message(Turn& turn, Envelope* popped) {
  Cell& cell = turn.cell();
  CellExtras* const extras = turn.find_extras();
  const bool has_order = extras != nullptr && extras->order != nullptr;
  if (has_order) popped = extras->order->next(turn, popped);
  const bool is_bounded = (cell.sender_flags.load(base::relaxed) & Cell::bounded) != 0;
  // A packet is for a former tenant: senders put nothing for a bounded mailbox into packets.
  if (popped == nullptr || !is_bounded || popped->has(Envelope::packet)) return popped;
  if (!has_order && has_surplus(turn) && is_dispensable(turn, *popped)) {
    drop_as_surplus(turn, popped);
    popped = nullptr;
  } else {
    cell.capacity_left.fetch_add(1, base::relaxed);
  }
  if (extras != nullptr) extras->room.note_taken(turn);
  return popped;
}

void put_in_front(Turn& turn, EnvelopeList list) {
  Cell& cell = turn.cell();
  const bool is_bounded = (cell.sender_flags.load(base::relaxed) & Cell::bounded) != 0;
  for (Envelope* e = list.first(); e != nullptr; e = e->next) {
    e->target_generation = generation_of(turn.self);
    e->type_and_flags |= Envelope::unstashed;
    if (is_bounded) cell.capacity_left.fetch_sub(1, base::relaxed);
  }
  Envelope* const last = list.last();
  if (const auto& order = turn.extras().order) order->put_in_front(turn, list);
  else cell.inbox.push_front(list.take(), last);
}

}  // namespace actord::actor
