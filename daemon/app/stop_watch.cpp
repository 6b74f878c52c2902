// SPDX-License-Identifier: Apache-2.0
#include "app/stop_watch.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "config/runtime.hpp"
#include "os/service_manager.hpp"

namespace actord::app {

void StopWatch::begin(const config::Runtime& runtime, std::string reason,
                      std::chrono::nanoseconds timeout,
                      std::function<void(const std::string&)> on_timeout) {
  runtime_ = &runtime;
  reason_ = std::move(reason);
  began_ns_ = base::monotonic_ns();
  look_after(first_after);
  if (timeout == timeout.zero()) return;
  deadline_.start(timeout, [this, on_timeout = std::move(on_timeout)] {
    if (runtime_ == nullptr) return;
    const std::vector<std::string> left = runtime_->running_leaves();
    std::string named;
    for (std::size_t i = 0; i < std::min(left.size(), paths_max); ++i)
      named += (i == 0 ? "" : ", ") + left[i];
    if (left.size() > paths_max)
      named += " and " + std::to_string(left.size() - paths_max) + " more";
    on_timeout(named);
  });
}

void StopWatch::end() {
  runtime_ = nullptr;
  slow_.cancel();
  deadline_.cancel();
}

void StopWatch::look_after(std::chrono::seconds delay) {
  slow_.start(delay, [this] {
    if (runtime_ == nullptr) return;
    log_slow_stop();
    look_after(interval);
  });
}

void StopWatch::log_slow_stop() {
  const std::vector<std::string> left = runtime_->running_leaves();
  const std::size_t n = std::min(left.size(), paths_max);
  const std::vector<std::string_view> named(left.begin(),
                                            left.begin() + static_cast<std::ptrdiff_t>(n));
  const std::int64_t duration_ms = (base::monotonic_ns() - began_ns_) / base::ns_per_ms;
  hub_.shared().emit(log::Level::warning, "daemon.stopping", "waiting for actors to stop",
                     {{"reason", reason_},
                      {"duration_ms", duration_ms},
                      {"waits_for", std::span<const std::string_view>(named)},
                      {"waits_for_more", left.size() - named.size()}});
  service_manager_.status("waiting for actors to stop" +
                          (left.empty() ? std::string{} : ": " + left.front()));
}

}  // namespace actord::app
