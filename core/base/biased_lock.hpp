// SPDX-License-Identifier: Apache-2.0
//
// A lock for data that one thread, its owner, uses all the time and other threads rarely.
//
// Each side sets its flag and then reads the flag of the other side. The owner's store must not
// pass its load. A fence for that would cost the owner some 5 ns on each lock. Instead the other
// side has all running threads of the process pass one (membarrier, some 500 ns). If the kernel has
// no membarrier, and under tools that do not know it (simulation, thread sanitizer), both sides use
// sequentially consistent operations.
#pragma once

#include "base/sync.hpp"

namespace actord::base {

/// Whether fence_everywhere() works; the kernel is asked once.
bool has_fence_everywhere() noexcept;
/// Makes every running thread of this process pass a full fence before this returns. (A thread that
/// does not run passes one when it is scheduled.) Some 500 ns, more under load. False: the kernel
/// refuses, for example because a filter for system calls was set after the start.
bool fence_everywhere() noexcept;

/// Not reentrant. The owner is the one thread that calls lock(), try_lock() and unlock().
class BiasedLock {
 public:
#if defined(ACTORD_SIM_POINTS) || defined(__SANITIZE_THREAD__)
  static constexpr bool is_always_fenced = true;
#else
  static constexpr bool is_always_fenced = false;
#endif

  BiasedLock() : BiasedLock(!is_always_fenced && has_fence_everywhere()) {}
  /// Does not use membarrier unless `is_asymmetric`; for tests.
  explicit BiasedLock(bool is_asymmetric) : others_(is_asymmetric ? 0 : fenced) {}

  /// Owner: some 0.5 ns if the lock is free, else waits until the other thread has left.
  void lock() noexcept {
    if (!try_lock()) [[unlikely]]
      wait_and_lock();
  }
  /// Owner: does not wait. False: another thread holds the lock, or is about to.
  bool try_lock() noexcept {
    if constexpr (!is_always_fenced) {
      owner_.store(true, relaxed);
      compiler_fence();
      if (others_.load(acquire) == 0) [[likely]]
        return true;
    }
    return try_lock_with_fence();
  }
  void unlock() noexcept { owner_.store(false, release); }

  /// Any other thread. False, without effect: another thread holds the lock, the owner does not
  /// leave within some 2 000 spins, or the kernel refuses the fence.
  bool try_lock_as_other() noexcept;
  void unlock_as_other() noexcept { others_.fetch_and(fenced, release); }

 private:
  static constexpr std::uint32_t taken = 1, fenced = 2;

  bool try_lock_with_fence() noexcept;
  void wait_and_lock() noexcept;

  // Mutual exclusion: each side stores its own flag, then loads the other's. The owner's exchange
  // of `owner_` and load of `others_` (try_lock_with_fence(), seq_cst) pair with the fetch_or of
  // `others_` and the load of `owner_` in try_lock_as_other() (seq_cst): at least one side sees the
  // other's flag. In try_lock() the owner passes no fence; there compiler_fence() pairs with
  // fence_everywhere() of the other thread.
  //
  // Visibility of the protected data: the release of `owner_` in unlock() pairs with the load in
  // try_lock_as_other(). So does the release with which try_lock_with_fence() withdraws the flag,
  // since the other thread may read that store instead. The release of `others_` in
  // unlock_as_other() pairs with the owner's loads and with the fetch_or of the next other thread.
  // (The load in wait_and_lock() could be relaxed: try_lock_with_fence() loads again.)
  Atomic<bool> owner_{false};
  Atomic<std::uint32_t> others_;  // bits: another thread holds the lock; the owner needs a fence
};

}  // namespace actord::base
