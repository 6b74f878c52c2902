// SPDX-License-Identifier: Apache-2.0
//
// The spdlog sink for a file of its own, which it opens, rotates, and opens again.
//
// spdlog's rotating sink writes by stdio and does not look at what a flush returns, so it loses
// lines on a full disk without a count, and halves one. This one writes each batch at once, cuts
// off what was written of a line that did not fit, and counts the lines.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "os/descriptor.hpp"
#include "sinks/fd_writer.hpp"
#include "sinks/own_sink.hpp"

namespace actord::sinks {

struct FileSinkOptions {
  std::string path = {};
  // A file that would grow beyond this is renamed to path.1, and path.1 to path.2; 0: never.
  std::uint64_t rotate_bytes = 0;
  unsigned keep = 0;  // how many renamed files are kept
  int error_fd = -1;  // as in FdSink
  std::string_view error_prefix = {};
};

class FileSink final : public OwnSink {
 public:
  explicit FileSink(FileSinkOptions options);

  /// Each payload is a batch of complete lines, and all of it goes to one file. Where there is no
  /// file it is opened, and so it is after reopen(), and if another one is at the path by now.
  /// Lines that cannot be written are counted as lost; every batch is a new attempt.
  void log(const spdlog::details::log_msg& message) override;
  void set_timeout(std::int64_t) noexcept override {}  // a file has no reader to wait for
  /// Any thread: another process has renamed the file, so the next batch goes to a new one.
  bool reopen() noexcept override {
    is_reopening_.store(true, std::memory_order_relaxed);
    return true;
  }

 private:
  /// Whether there is a file, with its size; opens it if need be. False: errno tells why not.
  bool make_ready();
  bool is_at_path(const struct stat& own) const noexcept;
  bool open_file();
  void rotate();
  std::string aged(unsigned age) const;
  /// Writes whole lines and returns how many bytes. Less than all: errno tells why.
  std::size_t write_lines(std::string_view text);

  const FileSinkOptions options_;
  os::Descriptor file_;
  std::optional<FdWriter> writer_;  // of file_
  std::uint64_t size_ = 0;
  // The size at which it rotates next; more than `rotate_bytes` after a rotation that has failed.
  std::uint64_t rotates_at_;
  std::atomic<bool> is_reopening_{false};
};

}  // namespace actord::sinks
