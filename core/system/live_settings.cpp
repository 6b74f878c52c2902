// SPDX-License-Identifier: Apache-2.0
//
// The settings of an ActorSystem that change while it runs: who is told of them.
#include "system/actor_system.hpp"

namespace actord::system {

void ActorSystem::set_live(const LiveSettings& live) {
  stash_capacity.store(live.stash_capacity, base::relaxed);
  asks_fail.store(live.asks_fail, base::relaxed);
  debug.set(live.debug);
  tracing.set(live.tracing);
  failure_log.set_burst(live.failure_burst);
  storms.set_guard(live.storm_guard);
  ingress_.set_limit(live.message_memory_max);
  dead_letters_.set_limit(live.dead_letters);
  quarantine_.set_limit(live.quarantine);
  behaviours_.set_limits(live.plugin_limits);
  counts.set_which(live.counted_actors);
  breakers_.configure(live.circuit_breakers);
  if (journal_ != nullptr) journal_->set_live(live.journal);
  std::lock_guard lock(stuck_timeouts_mutex_);
  stuck_timeouts_ = live.stuck_timeouts;
}

}  // namespace actord::system
