// SPDX-License-Identifier: Apache-2.0
//
// The command line of actord.
//
// Not here: the content of the configuration (settings), and what is done with it (config, app).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace actord::options {

/// A value for one key that overrides all files: `assignment` is "key=value" with the value in
/// HOCON, `origin` the option: "--set", or "--set #2" if there are several.
struct Override {
  std::string assignment;
  std::string origin;
};

struct Options {
  enum class Task { run, check, list_plugins, show_help, show_version };

  Task task = Task::run;
  // later files override earlier ones; empty for help and version
  std::vector<std::string> config_files;
  bool drop_ins = true;
  bool allow_unknown = false;             // unknown keys are warnings instead of errors
  bool strict = false;                    // for a check: warnings count as errors
  bool accepts_journal_loss = false;      // a journal that has lost its end is opened
  std::string user;                       // for a check: who will run actord; empty: not given
  std::vector<Override> overrides;        // in the order of the command line; --log-... last
  std::vector<std::string> plugin_path;   // as given
  std::optional<std::string> log_format;  // auto, json, console, journald or off; also an override
  std::optional<std::string> log_level;   // error, warning, info or debug; also an override
};

/// What the argument of an option is.
enum class Argument : std::uint8_t { none, file, folder, assignment, word, text };

/// An option of actord as data, for reading and for the completion of shells.
struct KnownOption {
  std::string_view name;  // long, without the hyphens
  char letter = '\0';     // 0: there is no short form
  Argument argument = Argument::none;
  std::span<const std::string_view> words = {};  // with Argument::word: the only values allowed
  bool repeats = false;
};
std::span<const KnownOption> known_options() noexcept;

/// A command line with errors.
struct UsageError {
  static constexpr int exit_status = 64;

  std::string text;  // for standard error: at most three lines, each with its newline
};

base::Result<Options, UsageError> read_command_line(int argc, const char* const* argv);

/// The output of --help.
std::string help_text();
/// The output of --version.
std::string version_text();

}  // namespace actord::options
