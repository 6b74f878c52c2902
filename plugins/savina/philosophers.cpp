// SPDX-License-Identifier: Apache-2.0
#include "philosophers.hpp"

#include <algorithm>

namespace savina {

std::vector<actord::About> PhilosophersConfig::about() {
  using C = PhilosophersConfig;
  return {actord::about(&C::philosophers)
              .between(2, 100'000)
              .doc("Philosophers, and forks between them."),
          actord::about(&C::meals).between(1, 1'000'000).doc("Meals of each philosopher."),
          about_deadline(&C::deadline)};
}

void TableFork::take(actord::Context& ctx, const Take&) {
  holder_ = ctx.sender();
  ctx.reply(Taken{});
  ctx.become<InUse>();
}

void TableFork::put_back(actord::Context& ctx, const PutBack&) {
  if (ctx.sender() != holder_)
    throw WrongResult("a philosopher has put back the fork of another one");
  ctx.become<Receive>();
  ctx.unstash_all();
}

void Philosopher::taken(actord::Context& ctx, const Taken&) {
  if (!std::exchange(has_first_, true)) ctx.tell(second_, Take{});
  else ctx.tell(ctx.parent(), BeginMeal{index_});
}

void Philosopher::eaten(actord::Context& ctx, const Eaten&) {
  has_first_ = false;
  ctx.tell(second_, PutBack{});
  ctx.tell(first_, PutBack{});
  if (--left_ != 0) ctx.tell(first_, Take{});
}

std::int64_t Table::expected(const Config& config) {
  return std::int64_t{config.philosophers} * config.meals;
}

void Table::pre_start(actord::Context& ctx) {
  const std::uint32_t n = config_.philosophers;
  for (std::uint32_t index = 0; index < n; ++index)
    forks_.push_back(ctx.spawn<TableFork>("fork-" + std::to_string(index)));
  for (std::uint32_t index = 0; index < n; ++index) {
    const auto [first, second] = std::minmax({index, (index + 1) % n});
    ctx.spawn<Philosopher>("philosopher-" + std::to_string(index), index, config_.meals,
                           forks_[first], forks_[second]);
  }
}

Eating Table::begin_meal(const BeginMeal& m) {
  const std::uint32_t n = config_.philosophers;
  Seat& seat = seats_.at(m.philosopher);
  if (seat.is_eating || seats_[(m.philosopher + 1) % n].is_eating ||
      seats_[(m.philosopher + n - 1) % n].is_eating)
    throw WrongResult("two neighbours eat at once", {{"philosopher", m.philosopher}});
  seat.is_eating = true;
  return {};
}

void Table::end_meal(actord::Context& ctx, const EndMeal& m) {
  Seat& seat = seats_.at(m.philosopher);
  seat.is_eating = false;
  if (++seat.meals > config_.meals)
    throw WrongResult("a philosopher has eaten too often", {{"philosopher", m.philosopher}});
  ++meals_;
  ctx.reply(Eaten{});
  if (seat.meals != config_.meals || ++sated_ != config_.philosophers) return;
  for (const actord::Ref fork : forks_) ctx.tell(fork, AwaitFree{});
}

// Ten messages for each meal: two forks, taken and put back, and its begin and end.
void Table::freed(actord::Context& ctx, const Free&) {
  if (++freed_ != config_.philosophers) return;
  ctx.tell(ctx.parent(), Finished{static_cast<std::int64_t>(meals_),
                                  10 * meals_ + 2 * std::uint64_t{config_.philosophers} + 1});
}

}  // namespace savina
