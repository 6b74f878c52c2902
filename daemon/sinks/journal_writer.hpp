// SPDX-License-Identifier: Apache-2.0
//
// Sends entries to the journal, one datagram each, to the socket of its native protocol. An entry
// that is too large for a datagram goes as a sealed file in memory, whose descriptor is sent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sinks/write_wait.hpp"

namespace actord::sinks {

/// Threads: set_timeout() by any; everything else by one thread at a time.
class JournalWriter {
 public:
  /// Connects to the socket at `path`. error() has the result.
  explicit JournalWriter(std::string path);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Why there is no connection, as errno; 0: there is one.
  int error() const noexcept { return error_; }

  /// Sends the entry. Waits while the journal's queue is full, without end unless set_timeout() was
  /// called. If the socket has been replaced, connects again. Returns errno; ETIMEDOUT: the queue
  /// stayed full for the time limit; 0: sent.
  int write(std::string_view entry) noexcept;
  /// Sends the entry if the journal takes it at once and as one datagram. Returns whether it did.
  /// Async-signal-safe.
  bool write_at_once(std::string_view entry) const noexcept;

  /// See WriteWait.
  void set_timeout(std::int64_t ns) noexcept { wait_.set_timeout(ns); }

 private:
  int connect() noexcept;

  const std::string path_;
  int socket_ = -1;
  int error_ = 0;
  WriteWait wait_;
};

}  // namespace actord::sinks
