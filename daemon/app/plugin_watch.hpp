// SPDX-License-Identifier: Apache-2.0
//
// Reports a plugin whose code does not return while plugins are loaded or attached, or at the end,
// while they are detached or their static objects are destroyed. The main thread is blocked then,
// so another thread reports it. The plugin is never interrupted unless a stop is requested: the
// service manager limits how long a start or a stop may take.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "base/sync.hpp"
#include "loader/plugin_code.hpp"

namespace actord::log {
class Hub;
}  // namespace actord::log

namespace actord::os {
class ServiceManager;
}  // namespace actord::os

namespace actord::app {

class StackProbe;

/// While the object lives, a thread of its own looks now and then. Each wait is reported once.
class PluginWatch {
 public:
  enum class Stage : std::uint8_t {
    // A stop signal counts once the plugin has been reported, and otherwise waits for the event
    // loop.
    start,
    // Stop signals are taken from the event loop, which runs no more.
    end
  };
  /// Called on the watching thread: SIGINT or SIGTERM has arrived, and the plugin still blocks the
  /// thread that would handle the signal.
  using OnStop = std::function<void(int signal, const loader::PluginCode::Running& code)>;

  /// The references outlive the object. Meanwhile no other thread uses `service_manager` and
  /// `probe`.
  PluginWatch(Stage stage, log::Hub& hub, os::ServiceManager& service_manager, StackProbe& probe,
              OnStop on_stop);
  ~PluginWatch();
  PluginWatch(const PluginWatch&) = delete;
  PluginWatch& operator=(const PluginWatch&) = delete;

 private:
  void run();
  void check();
  void report(const loader::PluginCode::Running& code, std::int64_t duration_ns);
  /// Asks the blocked thread for its stack. False: it does not answer.
  bool take_stack(int thread_id);

  const Stage stage_;
  log::Hub& hub_;
  os::ServiceManager& service_manager_;
  StackProbe& probe_;
  const OnStop on_stop_;
  base::Mutex lock_;
  base::Condition stop_condition_;
  bool is_stopping_ = false;
  std::int64_t reported_since_ns_ = 0;  // start of the wait that was reported last
  base::Thread thread_;
};

}  // namespace actord::app
