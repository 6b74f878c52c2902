// SPDX-License-Identifier: Apache-2.0
//
// Chooses how a descriptor is written.
#include "sinks/fd_writer.hpp"

#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace actord::sinks {
namespace {

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

FdWriter::Written FdWriter::write(std::string_view text) noexcept {
  const std::size_t size = text.size();
  const auto result = [&](int error) { return Written{size - text.size(), error}; };
  while (!text.empty()) {
    // A write in parts needs a writable descriptor. After a time-out the wait also comes first: a
    // full pipe takes a few bytes in its last page, although its reader does not read.
    if (must_wait_first() && !wait_.wait(fd_)) return result(ETIMEDOUT);
    const long n = write_once(text);
    if (n > 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
      wait_.note_progress();
    } else if (n == 0) {
      return result(EIO);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_.wait(fd_)) return result(ETIMEDOUT);
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

}  // namespace actord::sinks
