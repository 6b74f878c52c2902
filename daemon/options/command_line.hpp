// SPDX-License-Identifier: Apache-2.0
//
// The command line of actord.
//
// Not here: what the configuration says (settings) and what is done about it (app).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace actord::options {

/// A value for one key, over all files: "key=value" with the value in HOCON, and the option it came
/// by: "--set", or "--set #2" where there are several.
struct Override {
  std::string assignment;
  std::string origin;
};

struct Options {
  enum class Task { run, check, show_help, show_version };

  Task task = Task::run;
  std::vector<std::string> config_files;  // later ones over earlier; empty for help and version
  bool drop_ins = true;
  bool allow_unknown = false;             // keys that nobody knows are warned of, not refused
  std::vector<Override> overrides;        // in the order of the command line; --log-... last
  std::vector<std::string> plugin_path;   // as written
  std::optional<std::string> log_format;  // auto, json or console: for what is logged before the
  std::optional<std::string> log_level;   // configuration is read; also among the overrides
};

/// A command line that is not understood.
struct UsageError {
  static constexpr int exit_status = 64;

  std::string text;  // for stderr: at most three lines, each with its newline
};

base::Result<Options, UsageError> read_command_line(int argc, const char* const* argv);

/// What --help prints.
std::string help_text();
/// What --version prints.
std::string version_text();

}  // namespace actord::options
