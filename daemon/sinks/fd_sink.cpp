// SPDX-License-Identifier: Apache-2.0
//
// Writing to a descriptor to the end, or giving up.
#include "sinks/fd_sink.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace actord::sinks {
namespace {

constexpr int patience_ms = 1000;

/// Waits until a non-blocking descriptor takes something again.
bool becomes_writable(int fd) noexcept {
  pollfd waiting{fd, POLLOUT, 0};
  int ready = 0;
  do {
    ready = ::poll(&waiting, 1, patience_ms);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace

void FdSink::log(const spdlog::details::log_msg& message) {
  const std::string_view text(message.payload.data(), message.payload.size());
  if (text.empty()) return;
  // A line that was cut off by an error ends before the next begins.
  if (is_torn_ && write("\n") == 1) is_torn_ = false;
  const std::size_t written = is_torn_ ? 0 : write(text);
  if (written == text.size()) [[likely]]
    return;
  const std::string_view lost = text.substr(written);
  failed_writes_.fetch_add(1, std::memory_order_relaxed);
  lost_lines_.fetch_add(static_cast<std::uint64_t>(std::ranges::count(lost, '\n')),
                        std::memory_order_relaxed);
  if (written != 0) is_torn_ = text[written - 1] != '\n';
}

std::size_t FdSink::write(std::string_view text) noexcept {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = ::write(fd_, text.data() + written, text.size() - written);
    if (n > 0) {
      written += static_cast<std::size_t>(n);
    } else if (n == 0) {
      break;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!becomes_writable(fd_)) break;
    } else if (errno != EINTR) {
      break;
    }
  }
  return written;
}

}  // namespace actord::sinks
