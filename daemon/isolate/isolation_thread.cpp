// SPDX-License-Identifier: Apache-2.0
#include "isolate/isolation_thread.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "os/crash_handler.hpp"

namespace actord::isolate {

IsolationThread::~IsolationThread() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  wait_.wake();
  if (thread_.joinable()) thread_.join();
}

void IsolationThread::add(HostProcessPtr host) {
  {
    const std::lock_guard lock(mutex_);
    new_hosts_.push_back(std::move(host));
    ++count_;
    if (!thread_.joinable()) {
      thread_ = base::Thread([this] { run(); });
      ::pthread_setname_np(thread_.native_handle(), "isolation");
    }
  }
  wait_.wake();
}

void IsolationThread::join_hosts() {
  std::unique_lock lock(mutex_);
  is_empty_.wait(lock, [this] { return count_ == 0; });
}

void IsolationThread::run() {
  os::use_crash_stack();
  std::vector<os::ReadyWait::Watched> watched;
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (is_stopping_) break;
    }
    take_new();
    look();
    watched.clear();
    for (const HostProcessPtr& host : hosts_) {
      watched.push_back({host->control_fd(), host->wants_to_send()});
      watched.push_back({host->process_fd()});
    }
    wait_.wait(watched, next_look_ns_);
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      if (watched[2 * i].is_ready) hosts_[i]->read_and_send();
    }
  }
  for (const HostProcessPtr& host : hosts_)
    host->kill(link::HostEnd::Kind::closed, "actord has ended");
  hosts_.clear();
}

void IsolationThread::take_new() {
  std::vector<HostProcessPtr> new_hosts;
  {
    const std::lock_guard lock(mutex_);
    new_hosts.swap(new_hosts_);
  }
  for (HostProcessPtr& host : new_hosts) {
    host->start(zygote_);
    hosts_.push_back(std::move(host));
  }
}

void IsolationThread::look() {
  const std::int64_t now_ns = base::monotonic_ns();
  next_look_ns_ = INT64_MAX;
  std::vector<HostProcessPtr> over;
  for (const HostProcessPtr& host : hosts_) {
    next_look_ns_ = std::min(next_look_ns_, host->look(now_ns));
    if (host->is_over()) over.push_back(host);
  }
  for (const HostProcessPtr& host : over) {
    std::erase(hosts_, host);
    keeper_.on_over(host);
  }
  next_look_ns_ = std::min(next_look_ns_, keeper_.keep(now_ns));
  const std::lock_guard lock(mutex_);
  count_ -= over.size();
  if (count_ == 0) is_empty_.notify_all();
}

}  // namespace actord::isolate
