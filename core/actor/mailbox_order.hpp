// SPDX-License-Identifier: Apache-2.0
//
// A mailbox that is not read as it was filled (supervision.md 180z, 180z): messages are taken by
// their ranks (message_ranks.hpp), and within a rank as they came.
//
// The fetched messages of the actor are kept sorted: one list, in which those of the first rank
// come first, and the last message of each rank is known. So a message is put into its place in a
// few steps, and the first one is taken as from any mailbox. Before each message is taken, those
// that have come meanwhile are fetched, and packets are unpacked. An actor without an order pays
// nothing for this.
#pragma once

#include <array>

#include "actor/envelope_list.hpp"
#include "actor/message_ranks.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// Only the actor's own turn calls it; its parent makes it.
class MailboxOrder {
 public:
  explicit MailboxOrder(base::IntrusivePtr<const MessageRanks> ranks) : ranks_(std::move(ranks)) {}

  /// `popped` was taken from the actor's mailbox, which goes by arrival. Returns the message to be
  /// handled next in its place; null if it was a packet to a former tenant, and no other message
  /// waits. If the mailbox has taken more messages than
  /// its limit allows, those that are too many become dead letters first.
  Envelope* next(Turn& turn, Envelope* popped);
  /// Puts messages into the mailbox, each before the others of its rank.
  void put_in_front(Turn& turn, EnvelopeList list);
  /// For people: "control, shop.Urgent/1, *".
  const std::string& text() const noexcept { return ranks_->text(); }

 private:
  // The last message of the ranks before this one; null: they are empty.
  Envelope* last_before(unsigned rank) const noexcept;
  unsigned rank_of(Turn& turn, const Envelope& envelope) const;
  void sort_fetched(Turn& turn);
  void append(Turn& turn, Envelope* envelope);
  void append_all(Turn& turn, Envelope* list);
  void append_content(Turn& turn, message::Packet& packet);
  Envelope* take_first(MailboxOwner& inbox) noexcept;
  // Takes the oldest message of the last rank out that may be dropped; null: there is none.
  Envelope* take_dispensable(Turn& turn);
  void drop_surplus(Turn& turn);

  const base::IntrusivePtr<const MessageRanks> ranks_;
  std::array<Envelope*, MessageRanks::ranks_max> last_{};  // of each rank; null: it is empty
  std::uint64_t filled_ = 0;      // one bit for each rank that has messages
  bool is_marker_taken_ = false;  // the mailbox's marker is no longer in the list
};

/// For an actor whose mailbox is bounded or has an order of its own: the message to be handled next
/// in the place of the one that was popped; null: what was popped has ended here.
Envelope* next_message(Turn& turn, Envelope* popped);
/// Puts messages before all others, or each before the others of its rank. No limit costs them.
void put_in_front(Turn& turn, EnvelopeList list);

}  // namespace actord::actor
