// SPDX-License-Identifier: Apache-2.0

#include "parties.hpp"

#include <string>

namespace reliable_network {

void Sender::pre_start(actord::Context& ctx) {
  for (std::uint64_t number = 1; number <= settings_.packets; ++number) {
    ctx.tell(settings_.network,
             Packet{settings_.number, number, "packet " + std::to_string(number)});
  }
}

void Sender::delivered(actord::Context& ctx, const Delivered& m) {
  note(ctx, m.number, done_.delivered);
}

void Sender::undeliverable(actord::Context& ctx, const Undeliverable& m) {
  note(ctx, m.number, done_.undeliverable);
}

void Sender::note(actord::Context& ctx, std::uint64_t number, std::uint64_t& count) {
  if (number == 0 || number > settings_.packets || is_answered_[number - 1])
    throw WrongAnswer("a packet was answered twice", {{"number", number}});
  is_answered_[number - 1] = true;
  ++count;
  if (done_.delivered + done_.undeliverable == settings_.packets)
    ctx.tell(ctx.parent(), SenderDone{done_});
}

// A gap is allowed: the missing packets were given up. A number that is not above the last one is
// out of order or repeated.
void Receiver::take(const Packet& m) {
  ++received_.packets;
  std::uint64_t& last = last_[m.sender];
  if (m.number == last) ++received_.repeated;
  if (m.number <= last) received_.is_in_order = false;
  last = m.number;
}

Received Receiver::tally(const GetTally&) const { return received_; }

}  // namespace reliable_network
