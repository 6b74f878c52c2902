// SPDX-License-Identifier: Apache-2.0
//
// A thread that runs an event loop of its own, for a server that must not keep the event loop of
// the daemon from a signal.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <new>
#include <utility>

#include "base/sync.hpp"

namespace actord::app {

/// Threads: one, which makes it, starts it and stops it.
class LoopThread {
 public:
  LoopThread() = default;
  ~LoopThread() {
    stop([] {});
  }
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  boost::asio::io_context& loop() noexcept { return loop_; }

  /// The loop must not run out of work before stop(). Throws std::system_error if the process may
  /// have no further thread.
  void start() {
    thread_ = base::Thread([this] { run(); });
  }
  /// Calls `close` on the thread, behind everything that was posted before, and ends the thread.
  /// Without a thread it does nothing.
  template <class Close>
  void stop(Close close) {
    if (!thread_.joinable()) return;
    boost::asio::post(loop_, [this, close = std::move(close)] {
      close();
      loop_.stop();
    });
    thread_.join();
  }

 private:
  /// A want of memory ends what is done for one client only. The client is disconnected when its
  /// time is over.
  void run() {
    while (!loop_.stopped()) {
      try {
        loop_.run();
      } catch (const std::bad_alloc&) {}
    }
  }

  boost::asio::io_context loop_{1};
  base::Thread thread_;
};

}  // namespace actord::app
