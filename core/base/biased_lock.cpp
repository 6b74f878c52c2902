// SPDX-License-Identifier: Apache-2.0
#include "base/biased_lock.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace actord::base {

namespace {

constexpr int spins_before_yield = 200;  // some 5 us: the other side holds the lock for less
constexpr int spins_before_giving_up = 2000;

long membarrier(int command) noexcept { return syscall(SYS_membarrier, command, 0, 0); }

}  // namespace

bool has_fence_everywhere() noexcept {
  static const bool is_registered = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
  return is_registered;
}

bool fence_everywhere() noexcept { return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0; }

// Slow path of try_lock(). An owner that finds the lock taken withdraws its flag, since otherwise
// both sides would wait for each other.
bool BiasedLock::try_lock_with_fence() noexcept {
  owner_.exchange(true, seq_cst);
  if ((others_.load(seq_cst) & taken) == 0) return true;
  owner_.store(false, release);
  return false;
}

// Slow path of lock(): waits until the other thread has left.
void BiasedLock::wait_and_lock() noexcept {
  int spins = 0;
  do {
    while ((others_.load(acquire) & taken) != 0) {
      if (++spins < spins_before_yield) cpu_relax();
      else yield_core();  // the other thread has lost its core
    }
  } while (!try_lock_with_fence());
}

bool BiasedLock::try_lock_as_other() noexcept {
  const std::uint32_t before = others_.fetch_or(taken, seq_cst);
  if ((before & taken) != 0) return false;
  if ((before & fenced) == 0 && !fence_everywhere()) {
    unlock_as_other();
    return false;
  }
  for (int spins = 0; owner_.load(seq_cst); ++spins) {
    if (spins == spins_before_giving_up) {
      unlock_as_other();
      return false;
    }
    cpu_relax();
  }
  return true;
}

}  // namespace actord::base
