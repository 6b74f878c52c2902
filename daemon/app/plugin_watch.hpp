// SPDX-License-Identifier: Apache-2.0
//
// A plugin whose code does not come back while it is loaded or attached: it is named, for the
// thread that runs it cannot. Nobody ends it unasked: how long a start may take, the service
// manager knows.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/sync.hpp"
#include "log/hub.hpp"
#include "os/service_manager.hpp"

namespace actord::app {

/// While it lives, a thread of its own looks once a second, and tells of each such wait once.
class PluginWatch {
 public:
  static constexpr std::chrono::seconds patience{3};

  /// Called on its thread: somebody wants the process to end, and the plugin of that file still
  /// keeps the thread that would obey.
  using OnStop = std::function<void(int signal, const std::string& file)>;

  /// Both outlive it; nobody else uses `service_manager` meanwhile.
  PluginWatch(log::Hub& hub, const os::ServiceManager& service_manager, OnStop on_stop);
  ~PluginWatch();
  PluginWatch(const PluginWatch&) = delete;
  PluginWatch& operator=(const PluginWatch&) = delete;

 private:
  void run();
  void look();

  log::Hub& hub_;
  const os::ServiceManager& service_manager_;
  const OnStop on_stop_;
  base::Mutex lock_;
  base::Condition over_;
  bool is_over_ = false;
  std::int64_t told_since_ns_ = 0;  // of what was told last
  base::Thread thread_;
};

}  // namespace actord::app
