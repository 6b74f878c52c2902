// SPDX-License-Identifier: Apache-2.0
//
// Detects that a plugin calls exit() while it is loaded or attached. Then the error names the
// plugin, and the exit status is ExitCode::plugin_refused.
#pragma once

#include <functional>

#include "config/boot_error.hpp"
#include "os/exit_watch.hpp"

namespace actord::app {

/// Active while the object lives. One object in a process.
class PluginExit final : os::ExitReporter {
 public:
  /// Reports the error. Called on the plugin's thread, inside its call of exit(); afterwards the
  /// process ends at once.
  using Report = std::function<void(const config::BootError&)>;

  explicit PluginExit(Report report);
  ~PluginExit();
  PluginExit(const PluginExit&) = delete;
  PluginExit& operator=(const PluginExit&) = delete;

 private:
  void on_exit(int status) noexcept override;

  const Report report_;
};

}  // namespace actord::app
