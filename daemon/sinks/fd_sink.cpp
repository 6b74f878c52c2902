// SPDX-License-Identifier: Apache-2.0
#include "sinks/fd_sink.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

namespace actord::sinks {
namespace {

std::string name_of(int fd) {
  if (fd == STDOUT_FILENO) return "standard output";
  if (fd == STDERR_FILENO) return "standard error";
  return "descriptor " + std::to_string(fd);
}

}  // namespace

FdSink::FdSink(int fd, int error_fd, std::string_view error_prefix)
    : OwnSink({name_of(fd), "lines", error_fd, error_prefix}), writer_(fd) {}

void FdSink::log(const spdlog::details::log_msg& message) {
  const std::string_view text(message.payload.data(), message.payload.size());
  if (text.empty()) return;
  const auto [bytes, error] = write(text);
  if (bytes == text.size()) [[likely]]
    return losses_.succeeded();
  const std::string_view lost = text.substr(bytes);
  losses_.failed(error, static_cast<std::uint64_t>(std::ranges::count(lost, '\n')));
}

FdWriter::Written FdSink::write(std::string_view text) noexcept {
  if (is_torn_) {  // ends a line that a failed write cut off
    if (const auto end = writer_.write("\n"); end.bytes == 0) return end;
    is_torn_ = false;
  }
  const FdWriter::Written written = writer_.write(text);
  if (written.bytes != 0)
    is_torn_ = written.bytes != text.size() && text[written.bytes - 1] != '\n';
  return written;
}

}  // namespace actord::sinks
