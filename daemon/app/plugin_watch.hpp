// SPDX-License-Identifier: Apache-2.0
//
// Reports a plugin whose code does not return while the plugin is loaded or attached. The loading
// thread is blocked, so another thread reports it. The plugin is never interrupted unless a stop
// is requested: the service manager limits how long a start may take.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/sync.hpp"
#include "log/hub.hpp"
#include "os/service_manager.hpp"

namespace actord::app {

/// While the object lives, a thread of its own looks once a second. Each wait is reported once.
class PluginWatch {
 public:
  /// How long a plugin may take before it is reported.
  static constexpr std::chrono::seconds report_after{3};

  /// Called on the watching thread: SIGINT or SIGTERM has arrived, and the plugin in `file` still
  /// blocks the thread that would handle the signal.
  using OnStop = std::function<void(int signal, const std::string& file)>;

  /// `hub` and `service_manager` outlive the object. Meanwhile no other thread uses
  /// `service_manager`.
  PluginWatch(log::Hub& hub, const os::ServiceManager& service_manager, OnStop on_stop);
  ~PluginWatch();
  PluginWatch(const PluginWatch&) = delete;
  PluginWatch& operator=(const PluginWatch&) = delete;

 private:
  void run();
  void check();

  log::Hub& hub_;
  const os::ServiceManager& service_manager_;
  const OnStop on_stop_;
  base::Mutex lock_;
  base::Condition stop_condition_;
  bool is_stopping_ = false;
  std::int64_t reported_since_ns_ = 0;  // start of the wait that was reported last
  base::Thread thread_;
};

}  // namespace actord::app
