// SPDX-License-Identifier: Apache-2.0
#include "actor/restart_storm.hpp"

#include <algorithm>

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

void RestartStorms::note(RestartStorm storm) {
  std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(lasting_, storm.subject, &RestartStorm::subject);
  if (known == lasting_.end()) return lasting_.push_back(std::move(storm));
  known->calm_at_ns = storm.calm_at_ns;
  known->restarts += storm.restarts;
}

bool RestartStorms::is_calm() const {
  std::lock_guard lock(mutex_);
  return lasting_.empty();
}

}  // namespace actord::actor
