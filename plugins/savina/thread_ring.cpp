// SPDX-License-Identifier: Apache-2.0
#include "thread_ring.hpp"

namespace savina {

std::vector<actord::About> ThreadRingConfig::about() {
  using C = ThreadRingConfig;
  return {actord::about(&C::actors).between(1, 1'000'000).doc("Actors in the ring."),
          actord::about(&C::hops).at_most(1'000'000'000).doc("Hops of the token."),
          about_deadline(&C::deadline)};
}

void RingMember::pass(actord::Context& ctx, const Token& m) {
  if (m.hops == 0) ctx.tell(ctx.parent(), LastToken{index_});
  else ctx.tell(next_, Token{m.hops - 1});
}

std::int64_t RingMaster::expected(const Config& config) {
  return static_cast<std::int64_t>(config.hops % config.actors);
}

void RingMaster::pre_start(actord::Context& ctx) {
  const actord::Ref first = ctx.spawn<RingMember>("member-0", std::uint32_t{0});
  actord::Ref last = first;
  for (std::uint32_t index = 1; index < config_.actors; ++index) {
    const actord::Ref member = ctx.spawn<RingMember>("member-" + std::to_string(index), index);
    ctx.tell(last, NextInRing{member});
    last = member;
  }
  ctx.tell(last, NextInRing{first});
  ctx.tell(first, Token{config_.hops});
}

void RingMaster::ended(actord::Context& ctx, const LastToken& m) {
  ctx.tell(ctx.parent(), Finished{m.index, config_.actors + config_.hops + 3});
}

}  // namespace savina
