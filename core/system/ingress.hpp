// SPDX-License-Identifier: Apache-2.0
//
// The memory limit for messages sent from outside the system (core/decisions/0005). Messages from
// actors are never refused; their senders are slowed down instead (core/decisions/0002).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/sync.hpp"
#include "log/hub.hpp"

namespace actord::system {

class Ingress {
 public:
  explicit Ingress(log::Hub& log) : log_(log) {}

  /// In bytes of messages. Any thread.
  void set_limit(std::size_t bytes) noexcept { limit_.store(bytes, base::relaxed); }

  std::size_t limit() const noexcept { return limit_.load(base::relaxed); }

  /// True if one more message from outside is accepted. All messages now take up `in_use` bytes.
  /// After a refusal, messages are refused until an eighth of the limit is free again. The log has
  /// a line when refusals begin and when they end, at most every ten seconds. One thread at a time.
  bool admits(std::size_t in_use);

 private:
  void shut(std::size_t in_use);
  void open(std::size_t in_use);
  void write_line(log::Level level, std::string_view event, std::string_view msg,
                  std::size_t in_use);

  log::Hub& log_;
  base::Atomic<std::size_t> limit_{SIZE_MAX};
  bool is_shut_ = false;
  bool is_busy_logged_ = false;  // the log has the line ingress.busy
  std::int64_t next_busy_line_ns_ = std::numeric_limits<std::int64_t>::min();
  std::uint64_t refused_ = 0;  // messages since the last line
};

}  // namespace actord::system
