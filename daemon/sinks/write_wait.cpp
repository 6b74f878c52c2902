// SPDX-License-Identifier: Apache-2.0
#include "sinks/write_wait.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.hpp"

namespace actord::sinks {
namespace {

/// How often a wait checks whether a time limit was set.
constexpr std::int64_t poll_interval_ms = 100;

}  // namespace

void WriteWait::set_timeout(std::int64_t ns) noexcept {
  timeout_set_ns_.store(base::monotonic_ns(), std::memory_order_relaxed);
  timeout_ns_.store(ns, std::memory_order_release);
}

void WriteWait::note_progress() noexcept {
  progress_ns_ = base::monotonic_ns();
  has_waited_without_progress_ = has_timed_out_ = false;
}

bool WriteWait::wait(int fd) noexcept {
  has_timed_out_ = !becomes_writable(fd);
  if (has_timed_out_) has_waited_without_progress_ = false;
  return !has_timed_out_;
}

bool WriteWait::becomes_writable(int fd) noexcept {
  // A descriptor may be writable and yet not take what is to be written: a terminal with room for
  // one byte does not take the two bytes that end a line.
  const bool is_again = std::exchange(has_waited_without_progress_, true);
  if (is_again) ::poll(nullptr, 0, 1);
  for (;;) {
    const int left = left_ms();
    pollfd waiting{fd, POLLOUT, 0};
    const int ready = ::poll(&waiting, 1, left);
    if (ready > 0) return !is_again || left != 0;
    if (left == 0 || (ready < 0 && errno != EINTR)) return false;
  }
}

int WriteWait::left_ms() const noexcept {
  const std::int64_t timeout = timeout_ns_.load(std::memory_order_acquire);
  const std::int64_t since =
      std::max(progress_ns_, timeout_set_ns_.load(std::memory_order_relaxed));
  const std::int64_t end = timeout < 0 ? end_ns_ : std::min(since + timeout, end_ns_);
  if (end == INT64_MAX) return poll_interval_ms;
  const std::int64_t left = end - base::monotonic_ns();
  return static_cast<int>(std::clamp<std::int64_t>(left / base::ns_per_ms, 0, poll_interval_ms));
}

}  // namespace actord::sinks
