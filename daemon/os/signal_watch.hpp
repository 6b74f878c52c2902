// SPDX-License-Identifier: Apache-2.0
//
// Signals as events of a loop. They are blocked in every thread and read from a descriptor, so that
// none interrupts a system call of a plugin, and one that comes early waits until somebody listens.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <csignal>
#include <functional>
#include <initializer_list>
#include <string_view>

namespace actord::os {

/// "SIGTERM"; "a signal" for those that the daemon has nothing to do with.
std::string_view signal_name(int signal) noexcept;

/// The first of these that has come and that nobody has read, while they are blocked; 0: none.
int pending_signal(std::initializer_list<int> signals) noexcept;

/// Made on the main thread before any other thread starts: threads inherit what is blocked. The
/// loop's thread does everything else.
class SignalWatch {
 public:
  /// Blocks `signals` for the rest of the process. Throws std::system_error when the system
  /// refuses.
  SignalWatch(boost::asio::io_context& loop, std::initializer_list<int> signals);

  /// Calls `on_signal` for each signal from now on, those that came before included.
  void listen(std::function<void(int signal)> on_signal);
  /// The loop may end.
  void cancel();

 private:
  void wait();

  boost::asio::posix::stream_descriptor descriptor_;
  std::function<void(int signal)> on_signal_;
};

}  // namespace actord::os
