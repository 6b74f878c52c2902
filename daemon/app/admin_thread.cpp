// SPDX-License-Identifier: Apache-2.0
#include "app/admin_thread.hpp"

#include <new>
#include <utility>

namespace actord::app {

namespace {

constexpr int status_busy = 75;

}  // namespace

AdminThread::AdminThread(os::EventLoop& event_loop, log::Hub& hub, admin::Handler handler)
    : event_loop_(event_loop),
      handler_(std::move(handler)),
      server_(thread_.loop(), hub,
              [this](const wire::Request& request, const admin::PeerFields& peer,
                     const admin::Responder& responder) {
                jobs_.push_back({request, peer, responder});
                start_next();
              }) {}

base::Result<void, os::SystemError> AdminThread::open(const std::string& path) {
  auto opened = server_.open(path);
  // The server accepts until it is closed, so the loop does not run out of work.
  if (opened) thread_.start();
  return opened;
}

void AdminThread::open(os::PassedSocket socket) {
  server_.open(std::move(socket.descriptor), socket.path);
  thread_.start();
}

void AdminThread::close() {
  thread_.stop([this] { server_.close(); });
}

void AdminThread::start_next() {
  if (is_occupied_ || jobs_.empty()) return;
  is_occupied_ = true;
  os::post(event_loop_, [this, job = std::move(jobs_.front())] {
    const auto begin = std::chrono::steady_clock::now();
    carry_out(job);
    const auto duration = std::chrono::steady_clock::now() - begin;
    os::post(thread_.loop(), [this, duration] { on_carried_out(duration); });
  });
  jobs_.pop_front();
}

void AdminThread::carry_out(const Job& job) {
  try {
    handler_(job.request, job.peer, job.responder);
  } catch (const std::bad_alloc&) {
    job.responder.reply({0, status_busy, "the memory does not suffice for an answer", {}});
  }
}

void AdminThread::on_carried_out(std::chrono::nanoseconds duration) {
  pause_.start(duration, [this] {
    is_occupied_ = false;
    start_next();
  });
}

}  // namespace actord::app
