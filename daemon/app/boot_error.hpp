// SPDX-License-Identifier: Apache-2.0
//
// Why the daemon does not start: one screen for whoever started it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/exit_codes.hpp"
#include "hocon/diagnostic.hpp"

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

/// As many findings as fit on a screen, the errors first.
BootError boot_error(ExitCode code, const hocon::Diagnostics& findings);

/// The findings as text; what is beyond a screen is counted.
std::string on_one_screen(const hocon::Diagnostics& findings);

}  // namespace actord::app
