// SPDX-License-Identifier: Apache-2.0
#include "app/plugin_exit.hpp"

#include <string>
#include <vector>

#include "app/crash_record.hpp"
#include "app/site_fields.hpp"
#include "config/boot_error.hpp"
#include "loader/plugin_code.hpp"
#include "log/hub.hpp"
#include "os/process.hpp"

namespace actord::app {

namespace {

using loader::PluginCode;

config::BootError error_in_plugin(const PluginCode::Running& code, const std::string& call) {
  if (code.phase == PluginCode::Phase::load)
    return config::boot_error(config::ExitCode::plugin_refused,
                              "the plugin " + code.file + " calls " + call + " while it is loaded",
                              "its static initialisers and its attach must not call exit()");
  if (code.phase == PluginCode::Phase::detach)
    return config::boot_error(
        config::ExitCode::internal,
        "the plugin " + code.file + " calls " + call + " while it is detached",
        "its detach must not call exit()");
  return config::boot_error(config::ExitCode::internal,
                            "a static destructor of a plugin calls " + call,
                            "static destructors must not call exit()");
}

config::BootError error_in_actor(const system::CrashSite& site, const std::string& call) {
  return config::boot_error(
      config::ExitCode::internal,
      "the actor " + std::string(site.path) + " (" + std::string(site.behaviour) + ", plugin " +
          std::string(site.plugin) + ' ' + std::string(site.version) + ") calls " + call,
      "actors must not call exit(): an actor stops itself, or throws and lets its supervisor "
      "decide");
}

config::BootError error_elsewhere(const std::string& call) {
  return config::boot_error(config::ExitCode::internal, "a thread that runs no actor calls " + call,
                            "it is a thread of a plugin or of a library that a plugin uses");
}

}  // namespace

PluginExit::PluginExit(log::Hub& hub, CrashRecord& record, Report report)
    : hub_(hub), record_(record), report_(std::move(report)) {
  os::report_exits(this);
}

PluginExit::~PluginExit() { os::report_exits(nullptr); }

/// A worker that ended would leave its actor without a thread.
bool PluginExit::needs_this_thread() noexcept { return system::CrashSite().fill(); }

void PluginExit::on_exit(std::string_view call) noexcept {
  const PluginCode::Running* const code = PluginCode::run_by(os::thread_id());
  system::CrashSite site;
  const bool is_actor = site.fill();
  const config::BootError error = code != nullptr ? error_in_plugin(*code, std::string(call))
                                  : is_actor      ? error_in_actor(site, std::string(call))
                                                  : error_elsewhere(std::string(call));
  hub_.set_level(log::Level::error);  // running actors go on logging; this leaves room for the rest
  std::vector<log::Field> fields{{"call", call}};
  const auto add = [&](std::string_view key, log::Value value) { fields.push_back({key, value}); };
  if (is_actor) add_site_fields(site, add);
  if (code != nullptr && !code->file.empty()) fields.push_back({"plugin.file", code->file});
  log::Record record;
  record.level = log::Level::error;
  record.event = "daemon.crashed";
  record.msg = error.reason;
  record.thread_id = static_cast<std::uint32_t>(os::thread_id());
  record.fields = fields;
  record_.keep_exit(record);
  hub_.shared().emit(record.level, "daemon.crashed", error.reason, fields);
  report_(error);
  os::exit_at_once(static_cast<int>(error.code));
}

}  // namespace actord::app
