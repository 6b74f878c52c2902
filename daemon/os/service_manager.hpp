// SPDX-License-Identifier: Apache-2.0
//
// Messages to the service manager (sd_notify(3)): one datagram per message to $NOTIFY_SOCKET.
//
// Without a service manager every call does nothing, and no call waits. While the service manager's
// queue is full, messages are kept and sent later. A message that cannot be delivered for another
// reason is dropped, because the daemon does not depend on a service manager.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/event_loop.hpp"

namespace actord::os {

/// How long the service manager waits for a watchdog() before it ends the process, in nanoseconds
/// (sd_watchdog_enabled(3)); nullopt: for ever. Removes the variables from the environment, because
/// they are not for child processes. No thread may use the environment meanwhile.
std::optional<std::int64_t> take_watchdog_timeout_ns();

/// Whether systemd has started this process itself, and not another program that it has started
/// (SYSTEMD_EXEC_PID, systemd.exec(5)).
bool is_started_by_systemd();

/// Used by one thread at a time.
class ServiceManager {
 public:
  /// `socket` is the value of NOTIFY_SOCKET: a path, or `@` and a name in the abstract namespace.
  /// Kept messages are sent while `loop` runs.
  ServiceManager(EventLoop& loop, const std::optional<std::string>& socket);

  // A status is one line for operators. Control characters in it become blanks, since a newline
  // would begin another assignment; it is cut after status_size_max bytes.
  static constexpr std::size_t status_size_max = 1000;

  /// The daemon is ready.
  void ready(std::string_view status) { send("READY=1\n" + assignment(status)); }
  /// A reload has begun; ready() must follow, whatever the result. `now_us` is the time on
  /// CLOCK_MONOTONIC.
  void reloading(std::int64_t now_us, std::string_view status) {
    send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(now_us) + '\n' + assignment(status));
  }
  /// The daemon has begun to stop.
  void stopping(std::string_view status) { send("STOPPING=1\n" + assignment(status)); }
  /// The start, reload or stop that is under way takes up to so long from now on, also if that is
  /// longer than the service manager would wait.
  void extend_timeout(std::chrono::nanoseconds time) {
    using std::chrono::microseconds;
    send("EXTEND_TIMEOUT_USEC=" +
         std::to_string(std::chrono::duration_cast<microseconds>(time).count()));
  }
  /// The daemon makes progress.
  void watchdog() { send("WATCHDOG=1"); }
  void status(std::string_view text) { send(assignment(text)); }

 private:
  static std::string assignment(std::string_view status);
  void send(std::string message);
  /// False: the message can be delivered later.
  bool deliver(const std::string& message) const noexcept;
  void deliver_late();

  std::string address_;            // the path or abstract name; empty: there is no service manager
  std::vector<std::string> late_;  // one of a kind, the oldest first
  Timer retry_;
};

}  // namespace actord::os
