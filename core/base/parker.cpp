// SPDX-License-Identifier: Apache-2.0
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

#include "base/clock.hpp"
#include "base/sync.hpp"

namespace actord::base {

std::int64_t Parker::deadline_of(std::int64_t limit_ns) {
  const std::int64_t now = monotonic_ns();
  return limit_ns < never - now ? now + limit_ns : never;
}

#ifndef ACTORD_SIM_POINTS

// The futex waits until an absolute time of the monotonic clock, so that after a spurious
// wake-up the time left need not be computed.
void Parker::park_until(std::int64_t deadline_ns) {
  std::uint32_t state = empty;
  if (state_.compare_exchange_strong(state, parked, acquire, acquire)) {
    const timespec deadline{deadline_ns / ns_per_s, deadline_ns % ns_per_s};
    do {
      const long result =
          syscall(SYS_futex, &state_, FUTEX_WAIT_BITSET_PRIVATE, parked,
                  deadline_ns == never ? nullptr : &deadline, nullptr, FUTEX_BITSET_MATCH_ANY);
      if (result != 0 && deadline_ns != never && monotonic_ns() >= deadline_ns) break;
    } while (state_.load(relaxed) == parked);
  }
  state_.exchange(empty, acquire);
}

void Parker::unpark() {
  if (state_.exchange(notified, release) == parked)
    syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void set_timer_slack(std::int64_t ns) noexcept {
  prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(ns), 0, 0, 0);
}

#else

void Parker::park_until(std::int64_t deadline_ns) {
  std::unique_lock lock(mutex_);
  while (!is_notified_) {
    if (deadline_ns == never) {
      condition_.wait(lock);
      continue;
    }
    const std::int64_t left = deadline_ns - monotonic_ns();
    if (left <= 0) break;
    condition_.wait_for(lock, std::chrono::nanoseconds{left});
  }
  is_notified_ = false;
}

void Parker::unpark() {
  {
    std::lock_guard lock(mutex_);
    is_notified_ = true;
  }
  condition_.notify_one();
}

void set_timer_slack(std::int64_t) noexcept {}

#endif

}  // namespace actord::base
