// SPDX-License-Identifier: Apache-2.0
//
// A thread that runs an event loop of its own, for what must not keep the event loop of the daemon
// from a signal.
#pragma once

#include <functional>
#include <memory>

#include "base/sync.hpp"
#include "os/event_loop.hpp"

namespace actord::app {

/// Threads: one, which makes it, starts it and stops it.
class LoopThread {
 public:
  LoopThread();
  ~LoopThread();
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  os::EventLoop& loop() noexcept { return *loop_; }

  /// The loop waits for work until stop(). Throws std::system_error if the process may have no
  /// further thread.
  void start();
  bool is_started() const noexcept { return thread_.joinable(); }
  /// Calls `close` on the thread, behind everything that was posted before, and ends the thread.
  /// Without a thread it does nothing.
  void stop(std::function<void()> close);

 private:
  void run();

  const std::unique_ptr<os::EventLoop> loop_;
  base::Thread thread_;
};

}  // namespace actord::app
