// SPDX-License-Identifier: Apache-2.0
//
// The names of base/sync.hpp for the simulation of single steps: threads are fibers of one real
// thread, and before every atomic operation another fiber may go on. Compiled in with
// ACTORD_SIM_POINTS only; the simulation defines the functions of the namespace step.
//
// All operations are sequentially consistent here. So the simulation finds bugs of interleaving;
// bugs of memory orders are left to the thread sanitizer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace actord::base {

/// The functions that the simulation defines. They are called on any fiber, and also outside of
/// fibers, where they switch to no other fiber.
namespace step {

/// Atomic operations until the next decide().
inline constinit std::int64_t countdown = 0;

/// Decides which fiber goes on, and sets `countdown`.
void decide() noexcept;
/// Whether a compare_exchange_weak() fails now although the values are equal.
bool fails_spuriously() noexcept;
/// Called by a fiber that spins: now and then another fiber goes on instead.
void relax() noexcept;

/// Blocks until `what` is woken, or until `until_ns` of simulated time (0: no limit): then false.
bool wait(const void* what, std::int64_t until_ns) noexcept;
void wake_one(const void* what) noexcept;
void wake_all(const void* what) noexcept;

/// Simulated time in nanoseconds; every call lets some of it pass.
std::int64_t now_ns() noexcept;

/// Starts a fiber; returns its number for join().
std::uint64_t spawn(std::function<void()> body);
void join(std::uint64_t fiber) noexcept;

}  // namespace step

/// A place where another fiber may go on.
inline void sim_point() noexcept {
  if (--step::countdown <= 0) [[unlikely]]
    step::decide();
}

template <class T>
class Atomic {
 public:
  constexpr Atomic() noexcept = default;
  constexpr Atomic(T value) noexcept : value_(value) {}  // NOLINT: implicit, as std::atomic
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order = std::memory_order_seq_cst) const noexcept {
    sim_point();
    return value_;
  }
  void store(T value, std::memory_order = std::memory_order_seq_cst) noexcept {
    sim_point();
    value_ = value;
  }
  T exchange(T value, std::memory_order = std::memory_order_seq_cst) noexcept {
    sim_point();
    return std::exchange(value_, value);
  }
  bool compare_exchange_strong(T& expected, T wanted, std::memory_order = std::memory_order_seq_cst,
                               std::memory_order = std::memory_order_seq_cst) noexcept {
    sim_point();
    if (value_ == expected) {
      value_ = wanted;
      return true;
    }
    expected = value_;
    return false;
  }
  bool compare_exchange_weak(T& expected, T wanted,
                             std::memory_order success = std::memory_order_seq_cst,
                             std::memory_order failure = std::memory_order_seq_cst) noexcept {
    if (!step::fails_spuriously())
      return compare_exchange_strong(expected, wanted, success, failure);
    expected = load();
    return false;
  }
  T fetch_add(T by, std::memory_order = std::memory_order_seq_cst) noexcept {
    sim_point();
    return std::exchange(value_, static_cast<T>(value_ + by));
  }
  T fetch_sub(T by, std::memory_order = std::memory_order_seq_cst) noexcept {
    sim_point();
    return std::exchange(value_, static_cast<T>(value_ - by));
  }
  T fetch_or(T bits, std::memory_order = std::memory_order_seq_cst) noexcept {
    sim_point();
    return std::exchange(value_, static_cast<T>(value_ | bits));
  }
  T fetch_and(T bits, std::memory_order = std::memory_order_seq_cst) noexcept {
    sim_point();
    return std::exchange(value_, static_cast<T>(value_ & bits));
  }
  operator T() const noexcept { return load(); }  // NOLINT: implicit, as std::atomic

 private:
  T value_{};
};

class Mutex {
 public:
  void lock() noexcept {
    sim_point();
    while (taken_) step::wait(this, 0);
    taken_ = true;
  }
  bool try_lock() noexcept {
    sim_point();
    return !std::exchange(taken_, true);
  }
  void unlock() noexcept {
    release();
    sim_point();
  }

 private:
  friend class Condition;
  void release() noexcept {
    taken_ = false;
    step::wake_one(this);
  }

  bool taken_ = false;
};

using SpinLock = Mutex;

class SharedMutex {
 public:
  void lock() noexcept {
    sim_point();
    while (taken_ || readers_ != 0) step::wait(this, 0);
    taken_ = true;
  }
  void unlock() noexcept {
    taken_ = false;
    step::wake_all(this);
    sim_point();
  }
  void lock_shared() noexcept {
    sim_point();
    while (taken_) step::wait(this, 0);
    ++readers_;
  }
  void unlock_shared() noexcept {
    if (--readers_ == 0) step::wake_all(this);
    sim_point();
  }

 private:
  bool taken_ = false;
  unsigned readers_ = 0;
};

class Condition {
 public:
  void wait(std::unique_lock<Mutex>& lock) { wait_until(lock, 0); }
  template <class Holds>
  void wait(std::unique_lock<Mutex>& lock, Holds&& holds) {
    while (!holds()) wait(lock);
  }
  template <class Rep, class Period>
  std::cv_status wait_for(std::unique_lock<Mutex>& lock, std::chrono::duration<Rep, Period> limit) {
    return wait_until(lock, step::now_ns() + std::chrono::nanoseconds{limit}.count())
               ? std::cv_status::no_timeout
               : std::cv_status::timeout;
  }
  template <class Rep, class Period, class Holds>
  bool wait_for(std::unique_lock<Mutex>& lock, std::chrono::duration<Rep, Period> limit,
                Holds&& holds) {
    const std::int64_t until = step::now_ns() + std::chrono::nanoseconds{limit}.count();
    while (!holds()) {
      if (!wait_until(lock, until)) return holds();
    }
    return true;
  }
  void notify_one() noexcept {
    sim_point();
    step::wake_one(this);
  }
  void notify_all() noexcept {
    sim_point();
    step::wake_all(this);
  }

 private:
  // Unlocks and waits in one step, so that no notification is lost in between.
  bool wait_until(std::unique_lock<Mutex>& lock, std::int64_t until_ns) {
    lock.mutex()->release();
    const bool is_notified = step::wait(this, until_ns);
    lock.mutex()->lock();
    return is_notified;
  }
};

class Thread {
 public:
  Thread() = default;
  template <class Body>
  explicit Thread(Body body) : fiber_(step::spawn(std::move(body))) {}
  Thread(Thread&& other) noexcept : fiber_(std::exchange(other.fiber_, 0)) {}
  Thread& operator=(Thread&& other) noexcept {
    std::swap(fiber_, other.fiber_);
    return *this;
  }

  bool joinable() const noexcept { return fiber_ != 0; }
  void join() noexcept { step::join(std::exchange(fiber_, 0)); }

 private:
  std::uint64_t fiber_ = 0;
};

inline void cpu_relax() noexcept { step::relax(); }
// All fibers of a simulation are one thread of the system.
using ThreadId = std::thread::id;
inline ThreadId this_thread() noexcept { return std::this_thread::get_id(); }

inline void yield_core() noexcept { step::relax(); }
inline void compiler_fence() noexcept {}

}  // namespace actord::base
