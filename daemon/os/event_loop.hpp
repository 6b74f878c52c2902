// SPDX-License-Identifier: Apache-2.0
//
// What most of the daemon does with an event loop: it calls functions on the loop's thread, and
// waits for a time or for something to read.
//
// The headers of Asio take longer to compile than most files that need such a wait. So this header
// only declares its loop. Not here: sockets, whose owners include Asio in their .cpp.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "os/descriptor.hpp"

namespace boost::asio {
class io_context;
}  // namespace boost::asio

namespace actord::os {

using EventLoop = boost::asio::io_context;

/// Calls `call` on the thread that runs the loop, later. Threads: any.
void post(EventLoop& loop, std::function<void()> call);

/// Waits for a time. Threads: only the event loop's.
class Timer {
 public:
  /// `loop` outlives the timer.
  explicit Timer(EventLoop& loop);
  ~Timer();
  Timer(Timer&& other) noexcept;
  Timer& operator=(Timer&& other) noexcept;

  /// Calls `then` once the time is over. The timer waits for one time only: a later start(),
  /// cancel() and the destructor end the wait without a call, except for a call that is already
  /// queued in the loop.
  void start(std::chrono::nanoseconds time, std::function<void()> then);
  void cancel();
  /// How long the started wait still takes; negative: it is over.
  std::chrono::nanoseconds left() const;

 private:
  struct Wait;

  std::unique_ptr<Wait> wait_;
};

/// Owns a descriptor and tells when it can be read. Threads: only the event loop's.
class ReadWatch {
 public:
  /// `loop` outlives the watch, which has no descriptor yet. `on_readable` may close the watch, but
  /// not destroy it.
  ReadWatch(EventLoop& loop, std::function<void()> on_readable);
  ~ReadWatch();

  /// Throws std::system_error if the kernel cannot watch the descriptor. There is none before.
  void own(Descriptor descriptor);
  /// From now on calls `on_readable` while there is something to read.
  void listen();
  /// Ends listen(), so that the event loop may end. The descriptor stays.
  void cancel();
  void close();
  bool is_open() const noexcept;
  /// The descriptor; only while the watch is open.
  int descriptor() const noexcept;

 private:
  struct Wait;

  std::unique_ptr<Wait> wait_;
};

}  // namespace actord::os
