// SPDX-License-Identifier: Apache-2.0
//
// The functions of ActorSystem that tell what is in it.
#include "system/actor_system.hpp"

namespace actord::system {

base::IntrusivePtr<actor::Census> ActorSystem::take_census(std::size_t at_most) {
  base::IntrusivePtr<actor::Census> census(new actor::Census);
  std::vector<actor::Ref>& asked = census->asked = cells.with_mail();
  if (asked.size() > at_most) {
    for (std::size_t i = 0; i < at_most; ++i) asked[i] = asked[i * asked.size() / at_most];
    asked.resize(at_most);
  }
  with_external([&](actor::ThreadState& thread) {
    for (const actor::Ref each : census->asked)
      thread.send_system(each, actor::SystemMessage::count(census));
  });
  return census;
}

bool ActorSystem::refuses(actor::Ref to) {
  bool is_refused = false;
  with_external([&](actor::ThreadState& thread) { is_refused = thread.refuses(to); });
  return is_refused;
}

std::vector<actor::Ref> ActorSystem::running_actors() {
  std::vector<actor::Ref> running;
  std::lock_guard lock(threads_mutex_);  // keeps every worker in the list attached
  for (const actor::ThreadState* const thread : threads_) {
    const actor::Cell* const cell = thread->running_cell.load();
    if (thread->is_busy() && cell != nullptr) running.push_back(cells.ref_of(*cell));
  }
  return running;
}

ActorSystem::Totals ActorSystem::totals() {
  std::scoped_lock lock(threads_mutex_, external_mutex_);
  Totals sum;
  const auto add = [&sum](const actor::MessageCounters& counters) {
    sum.handled += counters.handled;
    sum.failed += counters.failed;
    sum.undelivered += counters.undelivered;
    sum.redelivered += counters.redelivered;
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
