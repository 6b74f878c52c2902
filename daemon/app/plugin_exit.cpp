// SPDX-License-Identifier: Apache-2.0
#include "app/plugin_exit.hpp"

#include "loader/plugin_code.hpp"
#include "os/process.hpp"

namespace actord::app {

PluginExit::PluginExit(Report report) : report_(std::move(report)) { os::report_exits(this); }

PluginExit::~PluginExit() { os::report_exits(nullptr); }

void PluginExit::on_exit(int status) noexcept {
  using loader::PluginCode;
  const PluginCode::Running* const code = PluginCode::run_by(os::thread_id());
  if (code == nullptr || code->phase != PluginCode::Phase::load) return;
  report_(config::boot_error(config::ExitCode::plugin_refused,
                             "the plugin " + code->file + " ends the process with exit status " +
                                 std::to_string(status) + " while it is loaded",
                             "its static initialisers and its attach must not call exit()"));
  os::exit_at_once(static_cast<int>(config::ExitCode::plugin_refused));
}

}  // namespace actord::app
