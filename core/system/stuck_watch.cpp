// SPDX-License-Identifier: Apache-2.0
#include "system/stuck_watch.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"

namespace actord::system {

using Kind = sched::DispatcherSettings::Kind;

const StuckWatch::Seen* StuckWatch::find(std::uint64_t worker) const {
  const auto number = [](const Seen& seen) { return seen.task.of.worker; };
  const auto at = std::ranges::lower_bound(seen_, worker, {}, number);
  return at != seen_.end() && number(*at) == worker ? &*at : nullptr;
}

StuckWatch::Changes StuckWatch::look(const Activity& activity, std::int64_t now_ns) {
  Changes changes;
  changes.is_quiet = true;
  discount_pause(now_ns);
  std::vector<Seen> seen;
  seen.reserve(activity.workers.size());
  for (const WorkerActivity& of : activity.workers) {
    ACTORD_ASSERT(of.dispatcher < activity.dispatchers.size());
    const DispatcherActivity& dispatcher = activity.dispatchers[of.dispatcher];
    const Seen* const before = find(of.worker);
    const bool has_moved = before == nullptr || before->task.of.progress != of.progress;
    const bool is_same_task = !has_moved && of.is_busy && before->task.of.is_busy;
    if (of.is_busy || has_moved) changes.is_quiet = false;
    Seen now{{of, is_same_task ? before->task.since_ns : now_ns},
             dispatcher.kind == Kind::pool,
             is_same_task && before->is_reported};
    const std::int64_t timeout_ns = dispatcher.stuck_timeout_ns;
    if (is_same_task && !now.is_reported && timeout_ns != 0 &&
        now_ns - now.task.since_ns >= timeout_ns) {
      now.is_reported = true;
      changes.stuck.push_back(now.task);
    }
    seen.push_back(now);
  }
  std::ranges::sort(seen, {}, [](const Seen& each) { return each.task.of.worker; });
  seen.swap(seen_);
  for (const Seen& before : seen) {
    if (!before.is_reported) continue;
    const Seen* const now = find(before.task.of.worker);
    const bool goes_on = now != nullptr && now->is_reported;
    if (!goes_on) changes.unstuck.push_back(before.task);
  }
  look_for_shortages(activity, now_ns, changes);
  return changes;
}

// A thread that was started for a waiting task is not attached yet at one look. So a dispatcher is
// starved only if tasks have waited at two looks.
void StuckWatch::look_for_shortages(const Activity& activity, std::int64_t now_ns,
                                    Changes& changes) {
  std::vector<Starvation> now;
  for (std::uint16_t id = 1; id < activity.dispatchers.size(); ++id) {
    const DispatcherActivity& dispatcher = activity.dispatchers[id];
    const auto before = std::ranges::find(
        starvations_, id, [](const Starvation& each) { return each.shortage.dispatcher; });
    const bool has_waited = before != starvations_.end();
    Starvation found{{id, 0, dispatcher.waiting, 0}, has_waited && before->is_reported};
    bool is_any_free = false;
    for (const Seen& seen : seen_) {
      if (seen.task.of.dispatcher != id) continue;
      ++found.shortage.threads;
      found.shortage.since_ns = std::max(found.shortage.since_ns, seen.task.since_ns);
      is_any_free = is_any_free || !seen.task.of.is_busy;
    }
    const bool is_waited_for = dispatcher.waiting != 0;
    if (is_waited_for) changes.is_quiet = false;
    // The process may have no more threads, and this dispatcher has none.
    const bool has_no_thread = found.shortage.threads == 0;
    if (has_no_thread) found.shortage.since_ns = has_waited ? before->shortage.since_ns : now_ns;
    const bool is_short = is_waited_for && dispatcher.stuck_timeout_ns != 0 && !is_any_free &&
                          now_ns - found.shortage.since_ns >= dispatcher.stuck_timeout_ns;
    if (is_short && has_waited && !found.is_reported) {
      found.is_reported = true;
      changes.starved.push_back(found.shortage);
    }
    if (is_short || (is_waited_for && has_no_thread)) now.push_back(found);
    else if (found.is_reported) changes.recovered.push_back(before->shortage);
  }
  starvations_.swap(now);
}

// The watch is asked four times a second. If it was not for so long, the process did not run and
// neither did the tasks: it was stopped, or its machine was.
void StuckWatch::discount_pause(std::int64_t now_ns) {
  const std::int64_t passed_ns = now_ns - std::exchange(looked_ns_, now_ns);
  if (passed_ns <= pause_min_ns) return;
  for (Seen& each : seen_) each.task.since_ns += passed_ns;
  for (Starvation& each : starvations_) each.shortage.since_ns += passed_ns;
}

std::optional<StuckWatch::RunningTask> StuckWatch::oldest_on_pools() const {
  std::optional<RunningTask> oldest;
  for (const Seen& seen : seen_) {
    if (!seen.is_on_pool || !seen.task.of.is_busy) continue;
    if (!oldest || seen.task.since_ns < oldest->since_ns) oldest = seen.task;
  }
  return oldest;
}

}  // namespace actord::system
