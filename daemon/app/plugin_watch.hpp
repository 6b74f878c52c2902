// SPDX-License-Identifier: Apache-2.0
//
// A plugin whose code does not come back while it is loaded or attached: it is named, for the
// thread that runs it cannot. Nobody ends it: how long a start may take, the service manager knows.
#pragma once

#include <chrono>
#include <string>

#include "base/sync.hpp"
#include "log/hub.hpp"
#include "os/service_manager.hpp"

namespace actord::app {

/// While it lives, a thread of its own sleeps, and tells of each such plugin once.
class PluginWatch {
 public:
  static constexpr std::chrono::seconds patience{3};

  /// Both outlive it; nobody else uses `service_manager` meanwhile.
  PluginWatch(log::Hub& hub, const os::ServiceManager& service_manager);
  ~PluginWatch();
  PluginWatch(const PluginWatch&) = delete;
  PluginWatch& operator=(const PluginWatch&) = delete;

 private:
  void run();
  void look();

  log::Hub& hub_;
  const os::ServiceManager& service_manager_;
  base::Mutex lock_;
  base::Condition over_;
  bool is_over_ = false;
  std::string told_;  // the file
  base::Thread thread_;
};

}  // namespace actord::app
