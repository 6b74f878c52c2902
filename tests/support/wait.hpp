// SPDX-License-Identifier: Apache-2.0
//
// Waits with a limit. A test whose event does not come says for which event it has waited, instead
// of hanging until ctest ends it.
//
// Such a wait ends the process. The other threads of the test most likely wait as well, and could
// not be joined. doctest then reports the test case, crashed by SIGABRT.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace actord::support {

/// The limit of a wait: many times what it takes under a sanitizer on a busy machine, and less than
/// the time that ctest gives to a program.
inline constexpr std::chrono::seconds wait_limit{60};

/// `what` is the event that did not come, `file` and `line` the place of the wait for it.
[[noreturn]] inline void abort_wait(const char* what, std::chrono::seconds limit, const char* file,
                                    int line) {
  std::fprintf(stderr, "%s:%d: waited %lld s in vain for %s\n", file, line,
               static_cast<long long>(limit.count()), what);
  std::abort();
}

/// Waits until the predicate holds. `what` names for the message what makes it hold.
template <class Predicate>
void wait_until(Predicate&& holds, const char* what, std::chrono::seconds limit = wait_limit,
                const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!holds()) {
    if (std::chrono::steady_clock::now() >= deadline) abort_wait(what, limit, file, line);
    std::this_thread::yield();
  }
}

/// A std::latch whose waits have a limit. A thread that has waited sees what the others wrote
/// before they counted down. As with std::latch, those see nothing of each other; otherwise the
/// thread sanitizer would miss their races.
class Latch {
 public:
  explicit Latch(std::ptrdiff_t count) : left_(count), is_open_(count == 0) {}

  /// Counting below zero is a bug of the test.
  void count_down(std::ptrdiff_t n = 1) {
    const std::ptrdiff_t before = left_.fetch_sub(n, std::memory_order_release);
    if (before < n) {
      std::fprintf(stderr, "a latch was counted down below zero\n");
      std::abort();
    }
    if (before != n) return;
    std::lock_guard lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }
  bool try_wait() const noexcept { return left_.load(std::memory_order_acquire) == 0; }
  /// `what` names for the message what counts the latch down.
  void wait(const char* what, std::chrono::seconds limit = wait_limit,
            const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    {
      std::unique_lock lock(mutex_);
      if (!opened_.wait_for(lock, limit, [this] { return is_open_; }))
        abort_wait(what, limit, file, line);
    }
    try_wait();  // its acquire pairs with the release of every count_down()
  }
  void arrive_and_wait(const char* what, std::chrono::seconds limit = wait_limit,
                       const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    count_down();
    wait(what, limit, file, line);
  }

 private:
  std::atomic<std::ptrdiff_t> left_;
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_;
};

/// Limits what waits without a limit: the join of a thread, the stop of a pool. Ends the process if
/// it is not destroyed in time. `what` names for the message what had to end.
class TimeLimit {
 public:
  explicit TimeLimit(const char* what, std::chrono::seconds limit = wait_limit,
                     const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : thread_([=, this] { over_.wait(what, limit, file, line); }) {}
  ~TimeLimit() { over_.count_down(); }

 private:
  Latch over_{1};
  std::jthread thread_;
};

}  // namespace actord::support
