// SPDX-License-Identifier: Apache-2.0
//
// Delivers signals as events of the event loop. The signals are blocked in every thread and read
// from a descriptor. They never interrupt a system call of a plugin, and an early signal stays
// pending until listen().
#pragma once

#include <csignal>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "os/event_loop.hpp"
#include "os/local_socket.hpp"

namespace actord::os {

/// "SIGTERM"; "a signal" for signals that the daemon does not read.
std::string_view signal_name(int signal) noexcept;

/// The first of `signals` that is pending and was not read yet; 0: none. The signals must be
/// blocked.
int pending_signal(std::initializer_list<int> signals) noexcept;

/// Takes one of `signals` that is pending, so that a SignalWatch does not read it any more; 0:
/// none. The signals must be blocked.
int take_pending_signal(std::initializer_list<int> signals) noexcept;

struct Signal {
  int number = 0;
  /// The process that sent it, without a group; nullopt: the kernel did, as when a terminal is
  /// closed.
  std::optional<Peer> sender;
};

/// Created on the main thread before any other thread starts, because threads inherit the signal
/// mask. Other calls: only the event loop's thread.
class SignalWatch {
 public:
  /// Blocks `signals` for the rest of the process. Throws std::system_error if a system call fails.
  SignalWatch(EventLoop& loop, std::initializer_list<int> signals);

  /// Calls `on_signal` for each signal from now on, including those already pending.
  void listen(std::function<void(const Signal&)> on_signal);
  /// Stops waiting for signals, so that the event loop may end.
  void cancel();

 private:
  void read();

  ReadWatch signals_;
  std::function<void(const Signal&)> on_signal_;
};

}  // namespace actord::os
