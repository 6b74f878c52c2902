// SPDX-License-Identifier: Apache-2.0
//
// Signals that actord has no use for. By default each of them ends a process without a word, so
// actord reads them and logs that it ignores them.
//
// Not here: SIGPIPE, which a thread gets for its own write and which is ignored (os/process.hpp);
// signals of a program's own timers and profilers; and SIGQUIT, which asks for a core file.
#pragma once

#include <cstdint>
#include <map>

#include "log/hub.hpp"

namespace actord::os {
struct Signal;
}  // namespace actord::os

namespace actord::app {

/// Threads: main thread.
class UnusedSignals {
 public:
  explicit UnusedSignals(log::Hub& hub) : hub_(hub) {}

  /// Logs `daemon.signal-ignored` with the sender, for each signal at most once in 10 s.
  void log(const os::Signal& received);

 private:
  struct Seen {
    std::int64_t logged_ns = 0;
    std::uint64_t count = 0;  // since the last line
  };
  log::Hub& hub_;
  std::map<int, Seen> seen_;
};

}  // namespace actord::app
