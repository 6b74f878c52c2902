// SPDX-License-Identifier: Apache-2.0
//
// Sends entries to the journal, one datagram each, to the socket of its native protocol. An entry
// that is too large for a datagram goes as a sealed file in memory, whose descriptor is sent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sinks/datagram_writer.hpp"

namespace actord::sinks {

/// Threads: as DatagramWriter.
class JournalWriter {
 public:
  /// Connects to the socket at `path`. error() has the result.
  explicit JournalWriter(std::string path) : datagrams_(std::move(path)) {}

  /// Why there is no connection, as errno; 0: there is one.
  int error() const noexcept { return datagrams_.error(); }

  /// Sends the entry; waits and returns as DatagramWriter::write().
  int write(std::string_view entry) noexcept;
  /// Sends the entry if the journal takes it at once and as one datagram. Returns whether it did.
  /// Async-signal-safe.
  bool write_at_once(std::string_view entry) const noexcept {
    return datagrams_.write_at_once(entry);
  }

  /// See WriteWait and DatagramWriter.
  void set_timeout(std::int64_t ns) noexcept { datagrams_.set_timeout(ns); }
  void begin_batch(std::int64_t ns) noexcept { datagrams_.begin_batch(ns); }

 private:
  DatagramWriter datagrams_;
};

}  // namespace actord::sinks
