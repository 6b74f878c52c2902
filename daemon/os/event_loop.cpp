// SPDX-License-Identifier: Apache-2.0
#include "os/event_loop.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

namespace actord::os {

void post(EventLoop& loop, std::function<void()> call) { boost::asio::post(loop, std::move(call)); }

// ---- Timer --------------------------------------------------------------------------------------

struct Timer::Wait {
  explicit Wait(EventLoop& loop) : timer(loop) {}

  boost::asio::steady_timer timer;
};

Timer::Timer(EventLoop& loop) : wait_(std::make_unique<Wait>(loop)) {}
Timer::~Timer() = default;
Timer::Timer(Timer&& other) noexcept = default;
Timer& Timer::operator=(Timer&& other) noexcept = default;

void Timer::start(std::chrono::nanoseconds time, std::function<void()> then) {
  wait_->timer.expires_after(time);
  wait_->timer.async_wait([then = std::move(then)](boost::system::error_code error) {
    if (!error) then();
  });
}

void Timer::cancel() { wait_->timer.cancel(); }

std::chrono::nanoseconds Timer::left() const {
  return wait_->timer.expiry() - std::chrono::steady_clock::now();
}

// ---- ReadWatch ----------------------------------------------------------------------------------

struct ReadWatch::Wait {
  Wait(EventLoop& loop, std::function<void()> on_readable_)
      : descriptor(loop), on_readable(std::move(on_readable_)) {}

  boost::asio::posix::stream_descriptor descriptor;
  const std::function<void()> on_readable;
};

ReadWatch::ReadWatch(EventLoop& loop, std::function<void()> on_readable)
    : wait_(std::make_unique<Wait>(loop, std::move(on_readable))) {}
ReadWatch::~ReadWatch() = default;

void ReadWatch::own(Descriptor descriptor) {
  wait_->descriptor.assign(descriptor.get());
  descriptor.release();
}

void ReadWatch::listen() {
  wait_->descriptor.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                               [this](boost::system::error_code error) {
                                 if (error || !is_open()) return;
                                 wait_->on_readable();
                                 if (is_open()) listen();
                               });
}

void ReadWatch::cancel() {
  boost::system::error_code ignored;
  wait_->descriptor.cancel(ignored);
}

void ReadWatch::close() {
  boost::system::error_code ignored;
  wait_->descriptor.close(ignored);
}

bool ReadWatch::is_open() const noexcept { return wait_->descriptor.is_open(); }

int ReadWatch::descriptor() const noexcept { return wait_->descriptor.native_handle(); }

}  // namespace actord::os
