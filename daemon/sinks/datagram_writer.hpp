// SPDX-License-Identifier: Apache-2.0
//
// Sends datagrams to a local socket (unix(7)), such as that of the journal or of syslog, and
// connects again if that socket has been replaced.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sinks/write_wait.hpp"

namespace actord::sinks {

/// Whether an error of a write says that the datagram is larger than the socket allows.
bool is_too_large(int error) noexcept;

/// Threads: set_timeout() by any; everything else by one thread at a time.
class DatagramWriter {
 public:
  /// Connects to the socket at `path`. error() has the result.
  explicit DatagramWriter(std::string path);
  ~DatagramWriter();
  DatagramWriter(const DatagramWriter&) = delete;
  DatagramWriter& operator=(const DatagramWriter&) = delete;

  const std::string& path() const noexcept { return path_; }
  /// Why there is no connection, as errno; 0: there is one.
  int error() const noexcept { return error_; }

  /// Sends the bytes as one datagram. Waits while the queue of the reader is full, without end
  /// unless set_timeout() or begin_batch() was called. If the socket has been replaced, connects
  /// again. Returns errno; ETIMEDOUT: the queue stayed full; 0: sent.
  int write(std::string_view datagram) noexcept;
  /// The same for what `send` sends: it gets the socket, does not wait, and returns errno.
  int write_by(const std::function<int(int socket)>& send) noexcept;
  /// Sends the datagram if the reader takes it at once. Returns whether it did. Async-signal-safe.
  bool write_at_once(std::string_view datagram) const noexcept;

  /// See WriteWait.
  void set_timeout(std::int64_t ns) noexcept { wait_.set_timeout(ns); }
  /// Until the next call, all writes together wait at most `ns`, and not at all while a reader that
  /// was waited for in vain still takes nothing.
  void begin_batch(std::int64_t ns) noexcept;

 private:
  int connect() noexcept;

  const std::string path_;
  int socket_ = -1;
  int error_ = 0;
  WriteWait wait_;
};

}  // namespace actord::sinks
