// SPDX-License-Identifier: Apache-2.0
//
// The first part of a stop: runs the phases of the coordinated shutdown (supervision.md 180l), and
// tells the service manager how far they are. All actors still run.
//
// Not here: what the phases do (system/shutdown_actor), and the stop of the actors, which follows
// (stop_watch.hpp).
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "log/hub.hpp"
#include "os/event_loop.hpp"

namespace actord::os {
class ServiceManager;
}  // namespace actord::os

namespace actord::system {
class ActorSystem;
struct ShutdownPhase;
}  // namespace actord::system

namespace actord::app {

/// Threads: only the event loop's.
class StopPhases {
 public:
  /// Phases that last longer than all their timeouts together by this time are given up: no worker
  /// is free to run them. Without tasks no worker is needed.
  static constexpr std::chrono::seconds grace{5};

  /// `aborted_in` is the phase that was aborted; empty: all phases are over.
  using OnOver = std::function<void(const std::string& aborted_in)>;

  /// All of them outlive this object.
  StopPhases(os::EventLoop& loop, log::Hub& hub, os::ServiceManager& service_manager)
      : hub_(hub), service_manager_(service_manager), deadline_(loop) {}

  /// Begins with the first phase, or with `from` unless that is empty. `on_over` is called once,
  /// later. The stop of the actors, which the service manager has to wait for too, takes at most
  /// `stop_timeout`; 0: any time.
  void begin(system::ActorSystem& actors, const std::string& reason, const std::string& from,
             std::chrono::nanoseconds stop_timeout, OnOver on_over);
  /// What SystemListener::on_shutdown_phase tells.
  void on_phase(const system::ShutdownPhase& phase, std::size_t tasks);
  /// What SystemListener::on_shutdown_over tells, or the actors stop without it. Does nothing
  /// unless the phases run.
  void on_over(const std::string& aborted_in);

 private:
  void give_up(const std::string& reason);

  log::Hub& hub_;
  os::ServiceManager& service_manager_;
  os::Timer deadline_;
  std::string phase_;  // that runs
  OnOver on_over_;     // empty: no phases run
};

}  // namespace actord::app
