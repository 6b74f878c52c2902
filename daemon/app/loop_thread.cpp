// SPDX-License-Identifier: Apache-2.0
#include "app/loop_thread.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <new>
#include <utility>

namespace actord::app {

LoopThread::LoopThread() : loop_(std::make_unique<os::EventLoop>(1)) {}

LoopThread::~LoopThread() {
  stop([] {});
}

void LoopThread::start() {
  thread_ = base::Thread([this] { run(); });
}

void LoopThread::stop(std::function<void()> close) {
  if (!thread_.joinable()) return;
  os::post(*loop_, [this, close = std::move(close)] {
    close();
    loop_->stop();
  });
  thread_.join();
}

/// A want of memory ends what is done for one client only. The client is disconnected when its time
/// is over.
void LoopThread::run() {
  const auto kept_running = boost::asio::make_work_guard(*loop_);
  while (!loop_->stopped()) {
    try {
      loop_->run();
    } catch (const std::bad_alloc&) {}
  }
}

}  // namespace actord::app
