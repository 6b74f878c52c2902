// SPDX-License-Identifier: Apache-2.0
//
// Why the daemon does not start: one screen for whoever started it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/exit_codes.hpp"
#include "hocon/diagnostic.hpp"
#include "os/system_error.hpp"
#include "settings/settings.hpp"

namespace actord::app {

struct BootError {
  ExitCode code = ExitCode::config_wrong;
  std::string screen;                // for standard error, whole lines
  std::string reason;                // the same in one sentence, for the log
  hocon::Diagnostics findings = {};  // all that is wrong with the configuration
};

/// "actord: error: <what>", with the help below it.
inline BootError boot_error(ExitCode code, std::string what, const std::string& help = {}) {
  std::string screen = "actord: error: " + what + '\n';
  if (!help.empty()) screen += "  help: " + help + '\n';
  hocon::Diagnostic finding;
  finding.message = what;
  finding.help = help;
  return {code, std::move(screen), std::move(what), {std::move(finding)}};
}

ExitCode exit_code_of(const os::SystemError& error);

/// The state directory cannot be had.
BootError state_directory_error(const settings::Settings& settings, const os::SystemError& why);

/// As many findings as fit on a screen, the errors first.
BootError boot_error(ExitCode code, const hocon::Diagnostics& findings);

/// Several at once, as one.
class BootErrors {
 public:
  void add(BootError error) { errors_.push_back(std::move(error)); }
  bool empty() const noexcept { return errors_.empty(); }
  /// All findings in the order of the files. The code is that of all, or else config_wrong.
  BootError together() const;

 private:
  std::vector<BootError> errors_;
};

/// The findings as text; what is beyond a screen is counted.
std::string on_one_screen(const hocon::Diagnostics& findings);

}  // namespace actord::app
