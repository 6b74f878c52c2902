// SPDX-License-Identifier: Apache-2.0
//
// The limit on what waits in mailboxes when somebody outside the system sends more
// (core/decisions/0005). Actors themselves are never refused: they are slowed down instead
// (core/decisions/0002).
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

  /// Bytes of messages. Any thread.
  void set_limit(std::size_t bytes) noexcept { limit_.store(bytes, base::relaxed); }

  /// Whether one more message is welcome while messages take up so many bytes. Once one was not,
  /// none is until an eighth of the limit is free again. The log tells of both, at most once in ten
  /// seconds. One thread at a time.
  bool admits(std::size_t in_use);

 private:
  void shut(std::size_t in_use);
  void open(std::size_t in_use);
  void tell(log::Level level, std::string_view event, std::string_view msg, std::size_t in_use);

  log::Hub& log_;
  base::Atomic<std::size_t> limit_{SIZE_MAX};
  bool is_shut_ = false;
  bool is_told_ = false;  // that it is shut
  std::int64_t next_told_ns_ = std::numeric_limits<std::int64_t>::min();
  std::uint64_t refused_ = 0;  // messages that the log has not told of
};

}  // namespace actord::system
