// SPDX-License-Identifier: Apache-2.0
//
// Why the daemon does not start, as a text that fits on one screen.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/exit_codes.hpp"
#include "hocon/diagnostic.hpp"
#include "os/system_error.hpp"

namespace actord::settings {
struct Settings;
}  // namespace actord::settings

namespace actord::system {
struct LostChild;
}  // namespace actord::system

namespace actord::config {

struct BootError {
  ExitCode code = ExitCode::config_wrong;
  std::string screen;                // for standard error; complete lines
  std::string reason;                // the first error in one sentence, for the log
  hocon::Diagnostics findings = {};  // everything that is wrong with the configuration
};

/// An error with the screen "actord: error: <what>" and the help below it.
inline BootError boot_error(ExitCode code, std::string what, const std::string& help = {}) {
  std::string screen = "actord: error: " + what + '\n';
  if (!help.empty()) screen += "  help: " + help + '\n';
  hocon::Diagnostic finding;
  finding.message = what;
  finding.help = help;
  return {code, std::move(screen), std::move(what), {std::move(finding)}};
}

ExitCode exit_code_of(const os::SystemError& error);

/// The error that the state directory cannot be created or used.
BootError state_directory_error(const settings::Settings& settings, const os::SystemError& why);

/// The error that a configured actor could not be created. `origin`: where it is configured,
/// "file:line"; may be empty.
BootError lost_child_error(const system::LostChild& lost, const std::string& origin);

/// An error whose screen shows as many findings as fit, errors before warnings.
BootError boot_error(ExitCode code, const hocon::Diagnostics& findings);

/// Collects several errors and joins them into one.
class BootErrors {
 public:
  void add(BootError error) { errors_.push_back(std::move(error)); }
  bool empty() const noexcept { return errors_.empty(); }
  /// One error with all findings in the order of the files. Its code is the common code of all
  /// errors, or config_wrong if they differ. There is at least one error.
  BootError combined() const;

 private:
  std::vector<BootError> errors_;
};

/// The findings as text, errors first. Findings that do not fit on a screen are only counted.
std::string on_one_screen(const hocon::Diagnostics& findings);

}  // namespace actord::config
