// SPDX-License-Identifier: Apache-2.0
#include "actor/mailbox_room.hpp"

#include <algorithm>

#include "actor/token.hpp"

namespace actord::actor {

bool has_surplus(const Turn& turn) noexcept {
  const Cell& cell = turn.cell();
  if (cell.capacity_left.load(base::relaxed) >= 0) return false;
  const MailboxLimits::Row* const limit = turn.environment().mailbox_limits.find(cell);
  return limit != nullptr && limit->overflow.load(base::relaxed) == Overflow::drop_old;
}

bool is_dispensable(const Turn& turn, const Envelope& outer) noexcept {
  const Envelope& envelope = message::message_in(outer);
  if (outer.has(Envelope::packet | Envelope::unstashed)) return false;
  if (envelope.has(Envelope::tick | Envelope::reply)) return false;
  if (outer.target_generation != generation_of(turn.self)) return false;
  const Environment& environment = turn.environment();
  return environment.types.first_layout(envelope.type()) != environment.builtin.terminated;
}

void drop_as_surplus(Turn& turn, Envelope* envelope) {
  turn.cell().capacity_left.fetch_add(1, base::relaxed);
  turn.end_undelivered(envelope, turn.self, Undelivered::mailbox_full);
}

MailboxRoom::Parties& MailboxRoom::parties() {
  if (parties_ == nullptr) parties_ = std::make_unique<Parties>();
  return *parties_;
}

// ---- the receiver -------------------------------------------------------------------------------

namespace {

// Whether half of the mailbox is free. A sender that was told of each free place would be told for
// each message.
bool has_much_room(const Turn& turn) noexcept {
  const Cell& cell = turn.cell();
  const MailboxLimits::Row* const limit = turn.environment().mailbox_limits.find(cell);
  if (limit == nullptr) return true;
  const std::int32_t capacity = limit->capacity.load(base::relaxed);
  return cell.capacity_left.load(base::relaxed) >= capacity - capacity / 2;
}

}  // namespace

void MailboxRoom::tell_if_there_is_room(Turn& turn) {
  if (has_much_room(turn)) release_all(turn);
}

void MailboxRoom::on_wanted(Turn& turn, Ref who) {
  if (turn.cell().life.is_ending() || has_much_room(turn))
    return turn.thread().send_system(who, SystemMessage::room(turn.self));
  parties().waiting.push_back(who);
}

void MailboxRoom::release_all(Turn& turn) {
  if (parties_ == nullptr) return;
  for (const Ref each : parties_->waiting)
    turn.thread().send_system(each, SystemMessage::room(turn.self));
  parties_->waiting.clear();
}

// ---- the sender ---------------------------------------------------------------------------------

void MailboxRoom::wait_for(Turn& turn, Ref receiver, std::int64_t timeout_ns) {
  if (turn.cell().life.is_ending() || turn.cell().life.is_doomed()) return;
  Parties& parties = this->parties();
  if (std::ranges::find(parties.awaited, receiver) != parties.awaited.end()) return;
  parties.awaited.push_back(receiver);
  if (!turn.cell().life.is_waiting_for_room()) {
    turn.cell().life.wait_for_room();
    parties.token = token::make(token::Kind::room, token::rest_of(parties.token) + 1);
    parties.timeout = turn.thread().timer_after(timeout_ns, turn.self, parties.token);
  }
  turn.thread().send_system(receiver, SystemMessage::room_wanted(turn.self));
}

void MailboxRoom::on_room(Turn& turn, Ref receiver, std::uint64_t token) {
  if (parties_ == nullptr || !turn.cell().life.is_waiting_for_room()) return;
  if (token == 0) std::erase(parties_->awaited, receiver);
  else if (token == parties_->token) return end_wait(turn);
  if (parties_->awaited.empty()) end_wait(turn);
}

void MailboxRoom::end_wait(Turn& turn) {
  if (parties_ == nullptr || !turn.cell().life.is_waiting_for_room()) return;
  turn.thread().cancel(parties_->timeout);
  parties_->awaited.clear();
  turn.cell().life.end_wait_for_room();
}

}  // namespace actord::actor
