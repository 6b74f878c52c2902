// SPDX-License-Identifier: Apache-2.0
//
// Chooses how a descriptor is written, and waits between the writes.
#include "sinks/fd_writer.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/clock.hpp"

namespace actord::sinks {
namespace {

/// How often a waiting write checks whether a time limit was set.
constexpr std::int64_t poll_interval_ms = 100;

/// Whether `fd` is a terminal, but not the master of a pseudo-terminal: opening that again would
/// create another terminal.
bool is_terminal(int fd) noexcept {
  unsigned number = 0;
  return ::isatty(fd) == 1 && ::ioctl(fd, TIOCGPTN, &number) != 0;
}

/// Opens the same pipe or terminal again, so that it has flags of its own; -1: not permitted, as
/// for files of another user.
int opened_again(int fd, const struct stat& status) noexcept {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  const int own = ::open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (own < 0) return -1;
  struct stat other = {};
  if (::fstat(own, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino)
    return own;
  ::close(own);
  return -1;
}

}  // namespace

FdWriter::FdWriter(int fd) noexcept : fd_(fd) {
  struct stat status = {};
  if (::fstat(fd, &status) != 0) return;  // the first write reports the error
  if (S_ISSOCK(status.st_mode)) {
    mode_ = Mode::socket;
  } else if (S_ISFIFO(status.st_mode) || is_terminal(fd)) {
    mode_ = Mode::non_blocking;
    if ((::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0) return;
    const int own = opened_again(fd, status);
    is_own_ = own >= 0;
    if (is_own_) fd_ = own;
    else mode_ = Mode::in_parts;
  }
}

FdWriter::~FdWriter() {
  if (is_own_) ::close(fd_);
}

void FdWriter::set_timeout(std::int64_t ns) noexcept {
  timeout_set_ns_.store(base::monotonic_ns(), std::memory_order_relaxed);
  timeout_ns_.store(ns, std::memory_order_release);
}

FdWriter::Written FdWriter::write(std::string_view text) noexcept {
  const std::size_t size = text.size();
  const auto result = [&](int error) { return Written{size - text.size(), error}; };
  while (!text.empty()) {
    // A write in parts needs a writable descriptor. After a time-out wait() also comes first: a
    // full pipe takes a few bytes in its last page, although its reader does not read.
    if (must_wait_first() && !wait()) return result(ETIMEDOUT);
    const long n = write_once(text);
    if (n > 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
      progress_ns_ = base::monotonic_ns();
      has_waited_without_progress_ = has_timed_out_ = false;
    } else if (n == 0) {
      return result(EIO);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait()) return result(ETIMEDOUT);
    } else if (errno != EINTR) {
      return result(errno);
    }
  }
  return result(0);
}

long FdWriter::write_once(std::string_view text) const noexcept {
  if (mode_ == Mode::socket)
    return ::send(fd_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (mode_ == Mode::in_parts) text = text.substr(0, PIPE_BUF);
  return ::write(fd_, text.data(), text.size());
}

/// Waits until the descriptor is writable or has an error; false: the time limit has passed.
bool FdWriter::wait() noexcept {
  has_timed_out_ = !becomes_writable();
  if (has_timed_out_) has_waited_without_progress_ = false;
  return !has_timed_out_;
}

bool FdWriter::becomes_writable() noexcept {
  // A terminal with room for one byte is writable, but does not accept the two bytes that end a
  // line.
  const bool is_again = std::exchange(has_waited_without_progress_, true);
  if (is_again) ::poll(nullptr, 0, 1);
  for (;;) {
    const int left = left_ms();
    pollfd waiting{fd_, POLLOUT, 0};
    const int ready = ::poll(&waiting, 1, left);
    if (ready > 0) return !is_again || left != 0;
    if (left == 0 || (ready < 0 && errno != EINTR)) return false;
  }
}

int FdWriter::left_ms() const noexcept {
  const std::int64_t timeout = timeout_ns_.load(std::memory_order_acquire);
  if (timeout < 0) return poll_interval_ms;
  const std::int64_t since =
      std::max(progress_ns_, timeout_set_ns_.load(std::memory_order_relaxed));
  const std::int64_t left = since + timeout - base::monotonic_ns();
  return static_cast<int>(std::clamp<std::int64_t>(left / base::ns_per_ms, 0, poll_interval_ms));
}

}  // namespace actord::sinks
