// SPDX-License-Identifier: Apache-2.0
//
// A lock for what one thread, its owner, uses all the time and others hardly ever.
//
// Both sides raise a flag and then look at the other's. The owner's store must not pass its load:
// that is a fence of some 5 ns on each lock, unless the other side has all running threads of the
// process pass one (membarrier, some 500 ns). Where the kernel cannot, and where a tool watches who
// has never heard of it, both sides use sequentially consistent operations.
#pragma once

#include "base/sync.hpp"

namespace actord::base {

/// Whether full_fence_everywhere() is one; asked of the kernel once.
bool has_fence_everywhere() noexcept;
/// Every thread of this process that runs passes a full fence before this returns; one that does
/// not run passes one anyway. Some 500 ns, more under load. False: the kernel refuses, as when a
/// filter for system calls was set later.
bool fence_everywhere() noexcept;

class BiasedLock {
 public:
#if defined(ACTORD_SIM_POINTS) || defined(__SANITIZE_THREAD__)
  static constexpr bool is_always_fenced = true;
#else
  static constexpr bool is_always_fenced = false;
#endif

  BiasedLock() : BiasedLock(!is_always_fenced && has_fence_everywhere()) {}
  /// Without the kernel's help if not `is_asymmetric`; for tests.
  explicit BiasedLock(bool is_asymmetric) : others_(is_asymmetric ? 0 : fenced) {}

  /// Owner: some 0.5 ns while nobody else wants it, or as long as the others need. Not reentrant.
  void lock() noexcept {
    if (!try_lock()) [[unlikely]]
      wait_and_lock();
  }
  /// Owner: the same without waiting; false if another one is inside, or about to be.
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

  /// Any other thread. False: another one has it, or the owner does not leave; nothing was changed.
  bool try_lock_as_other() noexcept;
  void unlock_as_other() noexcept { others_.fetch_and(fenced, release); }

 private:
  static constexpr std::uint32_t taken = 1, fenced = 2;

  bool try_lock_with_fence() noexcept;
  void wait_and_lock() noexcept;

  // Who is inside: each side stores its own flag, then loads the other's. The owner's exchange of
  // `owner_` and load of `others_` (try_lock_with_fence(), seq_cst) pair with the fetch_or of
  // `others_` and the load of `owner_` in try_lock_as_other() (seq_cst): at least one side sees the
  // other's flag. In try_lock() the owner passes no fence; there compiler_fence() pairs with
  // fence_everywhere() of the other thread.
  //
  // What was done inside: the release of `owner_` in unlock() pairs with the load in
  // try_lock_as_other(). So does the release where try_lock_with_fence() steps back, since the
  // other thread may read that store instead. The release of `others_` in unlock_as_other() pairs
  // with the owner's loads and with the fetch_or of the next other thread. (The load in
  // wait_and_lock() could be relaxed: try_lock_with_fence() loads again.)
  Atomic<bool> owner_{false};
  Atomic<std::uint32_t> others_;  // taken by one of them | the owner has to pass a fence
};

}  // namespace actord::base
