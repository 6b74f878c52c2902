// SPDX-License-Identifier: Apache-2.0
#include "barber.hpp"

#include <algorithm>

namespace savina {

std::vector<actord::About> BarberConfig::about() {
  using C = BarberConfig;
  return {actord::about(&C::customers).between(1, 1'000'000).doc("Customers, with one cut each."),
          actord::about(&C::chairs).at_most(1'000'000).doc("Chairs in the waiting room."),
          actord::about(&C::returns_after)
              .between(std::chrono::nanoseconds{0}, std::chrono::hours{1})
              .doc("When a customer comes back that has found no chair, the first time."),
          about_deadline(&C::deadline)};
}

Barber::Next Barber::cut(actord::Context& ctx, const Cut& m) {
  ctx.tell(m.customer, Shorn{});
  ctx.reply(CallNext{});
  return go_to<BarberState::awake>().using_data({data().cuts + 1, data().naps});
}

Barber::Next Barber::sleep(actord::Context& ctx, const RoomEmpty&) {
  ctx.unstash_all();
  return go_to<BarberState::asleep>().using_data({data().cuts, data().naps + 1});
}

void WaitingRoom::enter(actord::Context& ctx, const Enter&) {
  if (std::exchange(is_barber_asleep_, false)) return ctx.tell(barber_, Cut{ctx.sender()});
  if (waiting_.size() < chairs_) return waiting_.push_back(ctx.sender());
  ctx.reply(RoomFull{});
}

void WaitingRoom::call_next(actord::Context& ctx, const CallNext&) {
  is_barber_asleep_ = waiting_.empty();
  if (is_barber_asleep_) return ctx.reply(RoomEmpty{});
  ctx.reply(Cut{waiting_.front()});
  waiting_.pop_front();
}

void Customer::enter(actord::Context& ctx) {
  ++visits_;
  ctx.tell(room_, Enter{});
}

// Twice as late each time, up to 1024 times. Otherwise, where messages are slow, the customers that
// come back fill the room's mailbox, and the barber's calls wait behind them.
void Customer::turned_away(actord::Context& ctx, const RoomFull&) {
  const auto delay = returns_after_ * (1U << std::min(visits_ - 1, 10U));
  ctx.start_timer("come-back", delay, ComeBack{});
}

void Customer::shorn(actord::Context& ctx, const Shorn&) {
  ctx.tell(ctx.parent(), WentHome{index_, visits_});
}

std::int64_t BarberShop::expected(const Config& config) { return config.customers; }

void BarberShop::pre_start(actord::Context& ctx) {
  barber_ = ctx.spawn<Barber>("barber");
  const actord::Ref room = ctx.spawn<WaitingRoom>("waiting-room", config_.chairs, barber_);
  for (std::uint32_t index = 0; index < config_.customers; ++index)
    ctx.spawn<Customer>("customer-" + std::to_string(index), index, room, config_.returns_after);
}

void BarberShop::went_home(actord::Context& ctx, const WentHome& m) {
  if (is_home_.at(m.customer))
    throw WrongResult("a customer was shorn twice", {{"customer", m.customer}});
  is_home_[m.customer] = true;
  visits_ += m.visits;
  if (++home_ == config_.customers) ctx.tell(barber_, GetHairCuts{});
}

// The messages: Enter and RoomFull for each visit, but Cut, Shorn, CallNext and WentHome for each
// one that ends with a cut, and RoomEmpty for each nap.
void BarberShop::counted(actord::Context& ctx, const HairCuts& m) {
  const std::uint64_t messages = 2 * visits_ + 3 * m.cuts + m.naps + 3;
  ctx.tell(ctx.parent(), Finished{static_cast<std::int64_t>(m.cuts), messages});
}

}  // namespace savina
