// SPDX-License-Identifier: Apache-2.0
//
// Writing to a descriptor so that it can be given up: no call here stays in the kernel because the
// reader of a pipe, a socket or a terminal does not read. A regular file is written as it is.
//
// O_NONBLOCK of a descriptor that others share would be theirs, too. So a pipe and a terminal are
// opened once more, for this alone; where that is refused they get pieces that fit, one at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace actord::sinks {

/// Threads: write() by one at a time; limit_patience() by any.
class FdWriter {
 public:
  /// The descriptor stays the caller's and must outlive the writer.
  explicit FdWriter(int fd) noexcept;
  ~FdWriter();
  FdWriter(const FdWriter&) = delete;
  FdWriter& operator=(const FdWriter&) = delete;

  struct Written {
    std::size_t bytes = 0;
    // errno; ETIMEDOUT: nothing was taken for as long as patience lasted; 0: all of it
    int error = 0;
  };
  /// Waits, for ever unless patience is limited, while the descriptor takes nothing.
  Written write(std::string_view text) noexcept;

  /// From now on nothing waits longer than `ns` after the last byte that was taken, or after this
  /// call if that is later. 0: what is not taken at once is given up.
  void limit_patience(std::int64_t ns) noexcept;

 private:
  enum class Way : std::uint8_t {
    plain,  // the system call does not wait for a reader
    non_blocking,
    socket,   // each call says for itself that it must not wait
    in_parts  // of PIPE_BUF: that much a writable pipe takes
  };

  bool must_ask() const noexcept { return way_ == Way::in_parts || has_given_up_; }
  long put(std::string_view text) const noexcept;
  bool wait() noexcept;
  bool becomes_writable() noexcept;
  int left_ms() const noexcept;

  int fd_;
  bool is_own_ = false;
  Way way_ = Way::plain;
  bool waited_in_vain_ = false;  // nothing was taken since the last wait
  bool has_given_up_ = false;    // so it was with the last write
  std::int64_t progress_ns_ = 0;
  // The release of `patience_ns_` in limit_patience() pairs with the acquire in left_ms(): a thread
  // that sees the limit sees since when, too.
  std::atomic<std::int64_t> limited_ns_{0};
  std::atomic<std::int64_t> patience_ns_{-1};  // negative: for ever
};

}  // namespace actord::sinks
