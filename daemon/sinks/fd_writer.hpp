// SPDX-License-Identifier: Apache-2.0
//
// Writes to a descriptor with a time limit: no call blocks in the kernel because the reader of a
// pipe, socket or terminal does not read. A regular file is written directly.
//
// O_NONBLOCK would also affect other processes that share the descriptor. So a pipe or terminal is
// opened again for this writer alone. If that is not permitted, it is written in pieces of PIPE_BUF
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinks/write_wait.hpp"

namespace actord::sinks {

/// Threads: write() by one thread at a time; set_timeout() by any.
class FdWriter {
 public:
  /// The caller keeps the descriptor open while the writer lives.
  explicit FdWriter(int fd) noexcept;
  ~FdWriter();
  FdWriter(const FdWriter&) = delete;
  FdWriter& operator=(const FdWriter&) = delete;

  struct Written {
    std::size_t bytes = 0;
    // errno; ETIMEDOUT: no byte was taken within the time limit; 0: everything was written
    int error = 0;
  };
  /// Waits while the descriptor takes nothing, without end unless set_timeout() was called.
  Written write(std::string_view text) noexcept;

  /// From now on a write waits at most `ns` after the last byte that was taken, or after this call
  /// if that is later. 0: bytes that are not taken at once are dropped.
  void set_timeout(std::int64_t ns) noexcept { wait_.set_timeout(ns); }

 private:
  enum class Mode : std::uint8_t {
    plain,  // the write never blocks on a reader
    non_blocking,
    socket,   // each call asks not to wait: MSG_DONTWAIT
    in_parts  // pieces of PIPE_BUF bytes, which a writable pipe always takes
  };

  bool must_wait_first() const noexcept { return mode_ == Mode::in_parts || wait_.has_timed_out(); }
  long write_once(std::string_view text) const noexcept;

  int fd_;
  bool is_own_ = false;
  Mode mode_ = Mode::plain;
  WriteWait wait_;
};

}  // namespace actord::sinks
