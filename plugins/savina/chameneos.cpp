// SPDX-License-Identifier: Apache-2.0
#include "chameneos.hpp"

namespace savina {
namespace {

// The colour that a creature takes: its own if both are alike, else the third one.
Colour complement(Colour own, Colour other) {
  using enum Colour;
  if (own == other) return own;
  if (own != blue && other != blue) return blue;
  return own != red && other != red ? red : yellow;
}

}  // namespace

std::vector<actord::About> ChameneosConfig::about() {
  using C = ChameneosConfig;
  return {actord::about(&C::chameneos).between(2, 1'000'000).doc("Creatures."),
          actord::about(&C::meetings).between(1, 1'000'000'000).doc("Meetings of two of them."),
          about_deadline(&C::deadline)};
}

void Chameneo::pre_start(actord::Context& ctx) { ctx.tell(ctx.parent(), Meet{index_, colour_}); }

void Chameneo::met(actord::Context& ctx, const Met& m) {
  ++meetings_;
  colour_ = complement(colour_, m.other);
  ctx.tell(ctx.parent(), Meet{index_, colour_});
}

std::int64_t Mall::expected(const Config& config) {
  return static_cast<std::int64_t>(2 * config.meetings);
}

void Mall::pre_start(actord::Context& ctx) {
  for (std::uint32_t index = 0; index < config_.chameneos; ++index) {
    recorded_.push_back({0, static_cast<int>(first_colour(index))});
    ctx.spawn<Chameneo>("chameneo-" + std::to_string(index), index, first_colour(index));
  }
}

void Mall::meet(actord::Context& ctx, const Meet& m) {
  if (pairs_ == config_.meetings) return ctx.reply(Closing{});
  if (!waiting_) {
    waiting_ = ctx.sender();
    waiting_meet_ = m;
    return;
  }
  record(waiting_meet_, m);
  ctx.tell(waiting_, Met{m.colour});
  ctx.reply(Met{waiting_meet_.colour});
  waiting_ = {};
  ++pairs_;
}

// Computes with numbers from 0 to 2: two different ones and the third are 3 together.
void Mall::record(const Meet& a, const Meet& b) {
  Creature& one = recorded_.at(a.index);
  Creature& other = recorded_.at(b.index);
  if (a.index == b.index || one.colour != static_cast<int>(a.colour) ||
      other.colour != static_cast<int>(b.colour))
    throw WrongResult("a creature has a colour that does not follow from its meetings",
                      {{"one", a.index}, {"other", b.index}});
  ++one.meetings;
  ++other.meetings;
  if (one.colour != other.colour) one.colour = other.colour = 3 - one.colour - other.colour;
}

void Mall::left(actord::Context& ctx, const MetInAll& m) {
  const Creature& recorded = recorded_.at(m.index);
  if (m.meetings != recorded.meetings || static_cast<int>(m.colour) != recorded.colour)
    throw WrongResult("a creature has other meetings than the mall",
                      {{"index", m.index}, {"meetings", m.meetings}});
  meetings_ += m.meetings;
  if (++left_ != config_.chameneos) return;
  ctx.tell(ctx.parent(), Finished{static_cast<std::int64_t>(meetings_),
                                  4 * pairs_ + 3 * std::uint64_t{config_.chameneos} + 1});
}

}  // namespace savina
