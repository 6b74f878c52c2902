// SPDX-License-Identifier: Apache-2.0
//
// Detects that code of a plugin ends the process by exit() or a function like it. The error names
// the plugin, and the actor that the thread was running; the exit status is never the one that the
// plugin asks for.
#pragma once

#include <functional>

#include "os/exit_watch.hpp"

namespace actord::config {
struct BootError;
}  // namespace actord::config

namespace actord::log {
class Hub;
}  // namespace actord::log

namespace actord::app {

class CrashRecord;

/// Active while the object lives. One object in a process.
class PluginExit final : os::ExitReporter {
 public:
  /// Writes the log and prints the error. Called on the plugin's thread, inside its call of exit();
  /// afterwards the process ends at once, with the error's code.
  using Report = std::function<void(const config::BootError&)>;

  /// `record` outlives this object, too.
  PluginExit(log::Hub& hub, CrashRecord& record, Report report);
  ~PluginExit();
  PluginExit(const PluginExit&) = delete;
  PluginExit& operator=(const PluginExit&) = delete;

 private:
  void on_exit(std::string_view call) noexcept override;
  bool needs_this_thread() noexcept override;

  log::Hub& hub_;
  CrashRecord& record_;
  const Report report_;
};

}  // namespace actord::app
