// SPDX-License-Identifier: Apache-2.0
//
// The functions of ActorSystem that tell what is in it.
#include "system/actor_system.hpp"

namespace actord::system {

base::IntrusivePtr<actor::Census> ActorSystem::take_census() {
  base::IntrusivePtr<actor::Census> census(new actor::Census);
  census->asked = cells.with_mail();
  with_external([&](actor::ThreadState& thread) {
    for (const actor::Ref each : census->asked)
      thread.send_system(each, actor::SystemMessage::count(census));
  });
  return census;
}

ActorSystem::Totals ActorSystem::totals() {
  std::scoped_lock lock(threads_mutex_, external_mutex_);
  Totals sum;
  const auto add = [&sum](const actor::MessageCounters& counters) {
    sum.handled += counters.handled;
    sum.failed += counters.failed;
    sum.undelivered += counters.undelivered;
    sum.restarts += counters.restarts;
  };
  add(past_counters_);
  add(external_->counters);
  for (const actor::ThreadState* thread : threads_) add(thread->counters);
  return sum;
}

actor::MessageCounters ActorSystem::counters() {
  std::scoped_lock lock(threads_mutex_, external_mutex_);
  actor::MessageCounters sum = past_counters_;
  sum += external_->counters;
  for (const actor::ThreadState* thread : threads_) sum += thread->counters;
  return sum;
}

std::size_t ActorSystem::blocks_in_use() {
  std::scoped_lock lock(threads_mutex_, external_mutex_);
  std::size_t free_blocks = envelopes.free_blocks() + external_->free_blocks();
  for (const actor::ThreadState* thread : threads_) free_blocks += thread->free_blocks();
  return envelopes.carved() - free_blocks;
}

std::size_t ActorSystem::timers_waiting() {
  std::size_t waiting = 0;
  with_external([&](actor::ThreadState&) { waiting = scheduler_->timers(); });
  return waiting;
}

}  // namespace actord::system
