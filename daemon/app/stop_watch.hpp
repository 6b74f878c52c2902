// SPDX-License-Identifier: Apache-2.0
//
// Watches a stop: logs which actors delay it, now and then, and ends the wait for them in time, so
// that the service manager need not.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "log/hub.hpp"
#include "os/event_loop.hpp"

namespace actord::config {
class Runtime;
}  // namespace actord::config

namespace actord::os {
class ServiceManager;
}  // namespace actord::os

namespace actord::app {

/// Threads: only the event loop's.
class StopWatch {
 public:
  /// A stop that takes this long is logged, and logged again after each `interval`.
  static constexpr std::chrono::seconds first_after{5}, interval{30};
  /// So many actors are named.
  static constexpr std::size_t paths_max = 5;

  /// All of them outlive this object.
  StopWatch(os::EventLoop& loop, log::Hub& hub, os::ServiceManager& service_manager)
      : hub_(hub), service_manager_(service_manager), slow_(loop), deadline_(loop) {}

  /// The stop begins, for that reason. `on_timeout` is called once, with the actors that delay it,
  /// "/user/a, /user/b and 3 more", if it takes longer than `timeout`; 0: never. `runtime` lives
  /// until end().
  void begin(const config::Runtime& runtime, std::string reason, std::chrono::nanoseconds timeout,
             std::function<void(const std::string&)> on_timeout);
  /// Nothing is logged or called any more.
  void end();

 private:
  void look_after(std::chrono::seconds delay);
  void log_slow_stop();

  log::Hub& hub_;
  os::ServiceManager& service_manager_;
  os::Timer slow_, deadline_;
  const config::Runtime* runtime_ = nullptr;  // null: no stop is watched
  std::string reason_;
  std::int64_t began_ns_ = 0;  // on the monotonic clock
};

}  // namespace actord::app
