// SPDX-License-Identifier: Apache-2.0
//
// A plugin that exits the process while it is loaded or attached, on the thread that does so: it is
// named, and the exit status is that of a plugin that is refused.
#pragma once

#include <functional>

#include "app/boot_error.hpp"
#include "os/exit_watch.hpp"

namespace actord::app {

/// While it lives. One in a process.
class PluginExit final : os::ExitReporter {
 public:
  /// Says it, on the plugin's thread and below its code; then the process ends at once.
  using Say = std::function<void(const BootError&)>;

  explicit PluginExit(Say say);
  ~PluginExit();
  PluginExit(const PluginExit&) = delete;
  PluginExit& operator=(const PluginExit&) = delete;

 private:
  void on_exit(int status) noexcept override;

  const Say say_;
};

}  // namespace actord::app
