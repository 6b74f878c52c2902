// SPDX-License-Identifier: Apache-2.0
//
// Writes batches, and reports failed writes.
#include "sinks/fd_sink.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace actord::sinks {
namespace {

std::string name_of(int fd) {
  if (fd == STDOUT_FILENO) return "standard output";
  if (fd == STDERR_FILENO) return "standard error";
  return "descriptor " + std::to_string(fd);
}

std::string counted(std::uint64_t n, std::string_view one, std::string_view more) {
  return std::to_string(n).append(" ").append(n == 1 ? one : more);
}

}  // namespace

void FdSink::log(const spdlog::details::log_msg& message) {
  const std::string_view text(message.payload.data(), message.payload.size());
  if (text.empty()) return;
  const auto [bytes, error] = write(text);
  if (bytes != text.size()) [[unlikely]] {
    fail(text.substr(bytes), error);
  } else if (std::exchange(error_, 0) != 0) {
    report(name_of(fd_) + " works again; " +
           counted(lines_lost_in_failure(), "line was lost", "lines were lost"));
  }
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

void FdSink::fail(std::string_view lost, int error) {
  const bool is_first = std::exchange(error_, error) == 0;
  if (is_first) lost_before_ = lost_lines();
  failed_writes_.fetch_add(1, std::memory_order_relaxed);
  lost_lines_.fetch_add(static_cast<std::uint64_t>(std::ranges::count(lost, '\n')),
                        std::memory_order_relaxed);
  // a time limit applies only at a stop, which reports it itself
  if (is_first && error != ETIMEDOUT) {
    report("cannot write to " + name_of(fd_) + ": " + std::system_category().message(error) +
           "; lines are lost until it works again");
  }
}

void FdSink::report_losses(std::uint64_t unformatted) {
  if (error_ == 0) return;
  std::string what = error_ == ETIMEDOUT ? name_of(fd_) + " is not read any more; "
                                         : name_of(fd_) + " did not work again (" +
                                               std::system_category().message(error_) + "); ";
  what += counted(lines_lost_in_failure(), "line is lost", "lines are lost");
  if (unformatted != 0) {
    what +=
        ", and " + counted(unformatted, "record", "records") + " that did not fit into the buffer";
  }
  report(what);
}

/// Does not wait, because the reader of `error_fd_` may be the one that does not read.
void FdSink::report(const std::string& what) const {
  if (error_fd_ < 0) return;
  FdWriter writer(error_fd_);
  writer.set_timeout(0);
  writer.write("actord: log: " + what + '\n');
}

}  // namespace actord::sinks
