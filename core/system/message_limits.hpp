// SPDX-License-Identifier: Apache-2.0
//
// How much is told and kept of messages that no actor has handled.
#pragma once

#include <cstddef>
#include <cstdint>

namespace actord::system {

/// How many dead letters are logged (supervision.md 147).
struct DeadLetterLimit {
  std::int64_t logged = 10;  // lines until the silence begins; negative: no limit; 0: no line
  std::int64_t silence_ns = 300'000'000'000;
  bool during_shutdown = false;
  std::size_t kept_bytes = 0;  // memory for those that are kept with their content
};

/// How much the quarantine may hold.
struct QuarantineLimit {
  std::size_t messages = 1000;
  std::size_t bytes = std::size_t{8} << 20;  // what the messages and what is known of them take up
};

}  // namespace actord::system
