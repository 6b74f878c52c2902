// SPDX-License-Identifier: Apache-2.0
//
// Tells the service manager that the daemon makes progress (WATCHDOG=1), so that a daemon that
// hangs is ended and started again.
//
// The event loop sends the message, so a loop that hangs sends none. While the daemon runs, the
// message is withheld as long as a worker of a pool, such as the dispatcher `default`, has been in
// one handler for half of the timeout: handlers there must not block, and all actors of the
// dispatcher may need that worker. Dispatchers whose actors may block by design, blocking-io and
// pinned, withhold nothing (actor_watch.hpp reports them).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "log/hub.hpp"
#include "os/event_loop.hpp"

namespace actord::os {
class ServiceManager;
}  // namespace actord::os

namespace actord::app {

class ActorWatch;

/// Threads: only the event loop's.
class Watchdog {
 public:
  /// `timeout_ns`: os::take_watchdog_timeout_ns(); nullopt: nothing is sent. All others outlive the
  /// object.
  Watchdog(os::EventLoop& loop, log::Hub& hub, os::ServiceManager& service_manager,
           const ActorWatch& actors, std::optional<std::int64_t> timeout_ns);

  /// After READY=1: the service manager does not count before.
  void start();
  /// From now on the handlers are not judged, since another time limit, that of the stop, applies
  /// to them.
  void begin_stopping() { is_stopping_ = true; }
  /// Nothing more is sent, and the timer lets the event loop end.
  void stop();

 private:
  void check();
  /// Whether the message has to be withheld; reports it once for each handler.
  bool is_late();

  log::Hub& hub_;
  os::ServiceManager& service_manager_;
  const ActorWatch& actors_;
  const std::optional<std::int64_t> timeout_ns_;
  os::Timer timer_;
  bool is_stopping_ = false, is_stopped_ = false;
  // worker and progress of the handler that was reported last
  std::pair<std::uint64_t, std::uint64_t> reported_;
};

}  // namespace actord::app
