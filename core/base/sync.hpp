// SPDX-License-Identifier: Apache-2.0
//
// Atomics, locks and threads under names of actord. Code in core/ uses only these names, so that
// the simulation can put its own in their place (base/step_sync.hpp).
//
// Not here: scheduling (sched/) and the mailbox protocol (actor/mailbox.hpp).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifdef ACTORD_SIM_POINTS
#include "base/step_sync.hpp"
#endif

namespace actord::base {

inline constexpr auto relaxed = std::memory_order_relaxed;
inline constexpr auto acquire = std::memory_order_acquire;
inline constexpr auto release = std::memory_order_release;
inline constexpr auto acq_rel = std::memory_order_acq_rel;
inline constexpr auto seq_cst = std::memory_order_seq_cst;

#ifndef ACTORD_SIM_POINTS

template <class T>
using Atomic = std::atomic<T>;

using Mutex = std::mutex;
using SharedMutex = std::shared_mutex;
using Condition = std::condition_variable;
using Thread = std::thread;

/// Tells the CPU that this is a spin loop. Takes some 20 ns.
inline void cpu_relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Keeps the compiler, but not the CPU, from moving memory operations across. Pairs with
/// fence_everywhere() of another thread (base/biased_lock.hpp), which is a fence for the CPU.
inline void compiler_fence() noexcept { std::atomic_signal_fence(seq_cst); }

/// Which thread this is. The id of a thread that has ended may come again.
using ThreadId = std::thread::id;
inline ThreadId this_thread() noexcept { return std::this_thread::get_id(); }

/// Lets another thread have this CPU, if one waits for it.
inline void yield_core() noexcept { std::this_thread::yield(); }

/// A lock for sections of a few nanoseconds without system calls. To take a free lock costs one
/// read-modify-write.
class SpinLock {
 public:
  void lock() noexcept {
    for (int spins = 0; taken_.exchange(true, acquire); ++spins) {
      while (taken_.load(relaxed)) {
        if (++spins < 200) cpu_relax();
        else yield_core();  // the holder may be preempted, and may need this CPU
      }
    }
  }
  bool try_lock() noexcept { return !taken_.load(relaxed) && !taken_.exchange(true, acquire); }
  void unlock() noexcept { taken_.store(false, release); }

 private:
  // The acquire of `taken_` in lock() and try_lock() pairs with the release in unlock(): the new
  // holder sees what the last one wrote under the lock.
  Atomic<bool> taken_{false};
};

#endif

/// A pointer that one thread, its owner, sets for every task, and that any thread may read. A
/// relaxed store to an Atomic takes one instruction too, but GCC then forgets what it knows of all
/// other memory, and loads it again. It does not for a volatile store, which is the kernel's
/// WRITE_ONCE(). The thread sanitizer knows only atomics.
template <class T>
class OwnerPointer {
 public:
  /// Any thread.
  T* load() const noexcept { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  /// Owner.
  void store(T* value) noexcept {
#if defined(__SANITIZE_THREAD__)
    __atomic_store_n(&value_, value, __ATOMIC_RELAXED);
#else
    *const_cast<T* volatile*>(&value_) = value;
#endif
  }

 private:
  T* value_ = nullptr;
};

/// A count that one thread, its owner, raises for every message, and that any thread may read. The
/// compiler makes three instructions of a relaxed load, an addition and a relaxed store. On x86-64
/// one is enough, and for messages the difference counts. A copy is an independent count.
class OwnerCount {
 public:
  constexpr OwnerCount() noexcept = default;
  OwnerCount(const OwnerCount& other) noexcept : value_(other) {}
  OwnerCount& operator=(const OwnerCount& other) noexcept {
    store(other);
    return *this;
  }

  /// Any thread.
  operator std::uint64_t() const noexcept {  // NOLINT: implicit, as std::atomic
    return __atomic_load_n(&value_, __ATOMIC_RELAXED);
  }

  /// Owner.
  OwnerCount& operator++() noexcept {
#if defined(__x86_64__)
    asm("addq $1, %0" : "+m"(value_) : : "cc");
#else
    store(value_ + 1);
#endif
    return *this;
  }
  /// Owner.
  OwnerCount& operator+=(std::uint64_t by) noexcept {
    store(value_ + by);
    return *this;
  }

 private:
  void store(std::uint64_t value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELAXED); }

  std::uint64_t value_ = 0;
};

/// The owner, one thread, sleeps in park() until another thread calls unpark(). If unpark() was
/// called before, park() returns at once. Two calls of unpark() before a park() count as one.
class Parker {
 public:
  static constexpr std::int64_t never = INT64_MAX;

  /// Owner: returns after unpark(), or after `limit_ns`; 0: no limit.
  void park(std::int64_t limit_ns) { park_until(limit_ns == 0 ? never : deadline_of(limit_ns)); }
  /// Owner: returns after unpark(), or when the monotonic clock shows `deadline_ns`; later by the
  /// timer slack of the thread, see set_timer_slack().
  void park_until(std::int64_t deadline_ns);
  /// Any thread. No system call if the owner does not sleep.
  void unpark();

 private:
  static std::int64_t deadline_of(std::int64_t limit_ns);

#ifndef ACTORD_SIM_POINTS
  static constexpr std::uint32_t empty = 0, parked = 1, notified = 2;
  // The acquire of `state_` in park_until() pairs with the release in unpark(): the woken thread
  // sees what its waker wrote before. The last exchange in park_until() alone is enough for that.
  Atomic<std::uint32_t> state_{empty};
#else
  Mutex mutex_;
  Condition condition_;
  bool is_notified_ = false;
#endif
};

/// Sets how late the kernel may wake the calling thread to save power, in nanoseconds. The default
/// is 50 us.
void set_timer_slack(std::int64_t ns) noexcept;

}  // namespace actord::base
