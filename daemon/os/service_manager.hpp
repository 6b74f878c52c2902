// SPDX-License-Identifier: Apache-2.0
//
// What the service manager is told (sd_notify(3)): one datagram per message to $NOTIFY_SOCKET.
//
// Without a service manager every call does nothing. A message that cannot be delivered is dropped:
// the daemon does not depend on who watches it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace actord::os {

/// One thread.
class ServiceManager {
 public:
  /// `socket` is the value of NOTIFY_SOCKET: a path, or a name of the abstract namespace after an
  /// `@`.
  explicit ServiceManager(std::optional<std::string> socket) : socket_(std::move(socket)) {}

  /// The daemon is up; `status` is one line for people.
  void ready(std::string_view status) const { send("READY=1\nSTATUS=" + std::string{status}); }
  /// The configuration is being read again; ready() is to follow whatever comes of it. `now_us` is
  /// of CLOCK_MONOTONIC.
  void reloading(std::int64_t now_us, std::string_view status) const {
    send("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(now_us) +
         "\nSTATUS=" + std::string{status});
  }
  /// The orderly way down has begun.
  void stopping(std::string_view status) const {
    send("STOPPING=1\nSTATUS=" + std::string{status});
  }
  void status(std::string_view text) const { send("STATUS=" + std::string{text}); }

 private:
  void send(const std::string& message) const noexcept;

  const std::optional<std::string> socket_;
};

}  // namespace actord::os
