// SPDX-License-Identifier: Apache-2.0
#include "actor/restart_storm.hpp"

#include <algorithm>
#include <utility>

namespace actord::actor {

void RestartStorms::set_guard(const StormGuard& guard) noexcept {
  within_ns_.store(guard.within_ns, base::relaxed);
  delay_min_ns_.store(guard.delay_min_ns, base::relaxed);
  delay_max_ns_.store(guard.delay_max_ns, base::relaxed);
  threshold_.store(guard.threshold, base::relaxed);
}

// Values of two settings may be mixed during a reload; each of them is valid.
StormGuard RestartStorms::guard() const noexcept {
  return {threshold_.load(base::relaxed), within_ns_.load(base::relaxed),
          delay_min_ns_.load(base::relaxed), delay_max_ns_.load(base::relaxed)};
}

bool RestartStorms::prolong(Ref subject, std::int64_t calm_at_ns) {
  std::lock_guard lock(mutex_);
  const auto known = lasting_.find(subject);
  if (known == lasting_.end()) return false;
  known->second.calm_at_ns = calm_at_ns;
  ++known->second.restarts;
  return true;
}

bool RestartStorms::begin(RestartStorm storm) {
  constexpr std::size_t announced_max = 16;
  std::lock_guard lock(mutex_);
  const bool is_announced = announced_ < announced_max;
  storm.is_announced = is_announced;
  storm.restarts = 1;
  lasting_.insert_or_assign(storm.subject, std::move(storm));
  ++(is_announced ? announced_ : unannounced_);
  return is_announced;
}

std::vector<RestartStorm> RestartStorms::take_over(std::int64_t now_ns,
                                                   const std::function<bool(Ref)>& is_alive) {
  std::lock_guard lock(mutex_);
  std::vector<RestartStorm> over;
  std::erase_if(lasting_, [&](const auto& entry) {
    const RestartStorm& storm = entry.second;
    if (now_ns < storm.calm_at_ns && is_alive(storm.subject)) return false;
    if (storm.is_announced) --announced_;
    over.push_back(storm);
    return true;
  });
  std::ranges::sort(over, {}, &RestartStorm::calm_at_ns);
  return over;
}

std::uint64_t RestartStorms::take_unannounced() {
  std::lock_guard lock(mutex_);
  return std::exchange(unannounced_, 0);
}

bool RestartStorms::is_calm() const {
  std::lock_guard lock(mutex_);
  return lasting_.empty();
}

}  // namespace actord::actor
