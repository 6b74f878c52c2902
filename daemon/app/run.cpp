// SPDX-License-Identifier: Apache-2.0
#include "app/run.hpp"

#include <unistd.h>

#include <iostream>

#include "app/daemon.hpp"
#include "base/biased_lock.hpp"
#include "config/check.hpp"
#include "config/configuration.hpp"
#include "hocon/printable.hpp"
#include "loader/plugin_scan.hpp"
#include "os/process.hpp"
#include "settings/readable_part.hpp"
#include "sinks/journal_stream.hpp"

namespace actord::app {

namespace {

using Task = options::Options::Task;

config::ExitCode report(const config::BootError& error) {
  const std::string stream = os::environment_variable("JOURNAL_STREAM").value_or("");
  std::cerr << sinks::error_text_for(STDERR_FILENO, stream, hocon::printable(error.screen))
            << std::flush;
  return error.code;
}

config::ExitCode print(const std::string& text) {
  std::cout << text << std::flush;
  return config::ExitCode::ok;
}

/// Returns only from a check: a daemon ends by exit().
config::ExitCode run_configured(const config::ConfigDraft& draft) {
  const bool runs = draft.configuration.options.task != Task::check;
  if (runs && draft.errors.empty()) Daemon(draft.configuration).run();
  const auto warnings = config::check(draft);
  if (!warnings) return report(warnings.error());
  std::cerr << config::on_one_screen(*warnings) << std::flush;
  if (draft.configuration.options.strict && config::has_warnings(*warnings)) {
    std::cerr << "actord: with --strict warnings count as errors\n" << std::flush;
    return config::ExitCode::config_wrong;
  }
  return print("configuration ok\n");
}

/// Prints the plugins that a start would load. Where the configuration has errors, these are those
/// that can be known, and the errors follow.
config::ExitCode list_plugins(const config::ConfigDraft& draft) {
  const bool is_valid = draft.errors.empty();
  const settings::Settings& settings = draft.configuration.settings;
  std::string names;
  for (const settings::WantedPlugin& wanted :
       settings::plugins_wanted(is_valid ? settings : settings::readable_part(settings)))
    names.append(wanted.name).push_back('\n');
  print(hocon::printable(names));
  return is_valid ? config::ExitCode::ok
                  : report(config::boot_error(config::ExitCode::config_wrong, draft.errors));
}

layers::SecretUse secret_use_of(Task task) {
  switch (task) {
    case Task::check: return layers::SecretUse::optional_credentials;
    case Task::list_plugins: return layers::SecretUse::ignored;
    default: return layers::SecretUse::needed;
  }
}

config::ExitCode run_with(int argc, const char* const* argv) {
  auto options = options::read_command_line(argc, argv);
  if (!options) return report({config::ExitCode::command_line, options.error().text, {}});
  if (options->task == Task::show_help) return print(options::help_text());
  if (options->task == Task::show_version) return print(options::version_text());
  const Task task = options->task;
  const auto draft = config::read_draft(std::move(*options), secret_use_of(task));
  if (!draft) return report(draft.error());
  return task == Task::list_plugins ? list_plugins(*draft) : run_configured(*draft);
}

}  // namespace

int run(int argc, const char* const* argv) {
  os::occupy_standard_descriptors();
  loader::run_plugin_scan_if_asked(argc, argv);
  os::ignore_broken_pipes();
  // Registers with the kernel while there is only one thread. With several it takes some 15 ms.
  base::has_fence_everywhere();
  return static_cast<int>(run_with(argc, argv));
}

}  // namespace actord::app
