// SPDX-License-Identifier: Apache-2.0
//
// Sends records to a syslog daemon, one datagram each, to its local socket.
//
// spdlog's syslog sink is not used: it calls syslog(3), which returns nothing, so that lines are
// lost without a count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sinks/datagram_writer.hpp"

namespace actord::sinks {

/// At most `bytes` of the text and perhaps a part of a character less, and then how many bytes are
/// left out.
std::string shortened(std::string_view text, std::size_t bytes);

/// Threads: as DatagramWriter.
class SyslogWriter {
 public:
  explicit SyslogWriter(std::string path) : datagrams_(std::move(path)) {}

  /// Sends the record; waits and returns as DatagramWriter::write(). One that is too large for a
  /// datagram is shortened.
  int write(std::string_view record);

  /// See WriteWait and DatagramWriter.
  void set_timeout(std::int64_t ns) noexcept { datagrams_.set_timeout(ns); }
  void begin_batch(std::int64_t ns) noexcept { datagrams_.begin_batch(ns); }

 private:
  DatagramWriter datagrams_;
};

}  // namespace actord::sinks
