// SPDX-License-Identifier: Apache-2.0
#include "sieve.hpp"

#include <algorithm>

namespace savina {

std::vector<actord::About> SieveConfig::about() {
  using C = SieveConfig;
  return {actord::about(&C::limit).between(2, 2'000'000).doc("The largest number that is tried."),
          actord::about(&C::primes_per_actor)
              .between(1, 1'000'000)
              .doc("Primes that an actor keeps before it creates the next one."),
          about_deadline(&C::deadline)};
}

void Sifter::sift(actord::Context& ctx, const Candidate& m) {
  ++messages_;
  const auto divides = [n = m.number](std::uint64_t prime) { return n % prime == 0; };
  if (std::ranges::any_of(primes_, divides)) return;
  if (primes_.size() < capacity_) return primes_.push_back(m.number);
  if (!next_) next_ = ctx.spawn<Sifter>("next", capacity_, master_);
  ctx.tell(next_, Candidate{m});
}

void Sifter::end(actord::Context& ctx, const Sieved& m) {
  const Sieved sum{m.primes + primes_.size(), primes_.empty() ? m.largest : primes_.back(),
                   m.messages + messages_ + 1};
  ctx.tell(next_ ? next_ : master_, Sieved{sum});
}

std::int64_t SieveMaster::expected(const Config& config) {
  std::vector<bool> is_composite(config.limit + 1);
  std::int64_t primes = 0;
  for (std::uint64_t n = 2; n <= config.limit; ++n) {
    if (is_composite[n]) continue;
    ++primes;
    for (std::uint64_t multiple = n * n; multiple <= config.limit; multiple += n)
      is_composite[multiple] = true;
  }
  return primes;
}

void SieveMaster::pre_start(actord::Context& ctx) {
  const actord::Ref first = ctx.spawn<Sifter>("first", config_.primes_per_actor, ctx.self());
  ctx.tell(first, Candidate{2});
  for (std::uint64_t n = 3; n <= config_.limit; n += 2) ctx.tell(first, Candidate{n});
  ctx.tell(first, Sieved{});
}

void SieveMaster::sieved(actord::Context& ctx, const Sieved& m) {
  ctx.tell(ctx.parent(), Finished{static_cast<std::int64_t>(m.primes), m.messages + 2});
}

}  // namespace savina
