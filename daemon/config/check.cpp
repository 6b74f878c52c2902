// SPDX-License-Identifier: Apache-2.0
#include "config/check.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "config/onlooker.hpp"
#include "config/runtime.hpp"
#include "os/files.hpp"

namespace actord::config {

namespace {

/// Checks whether the state directory exists or can be created. A missing permission is only a
/// remark, because the check may run as another user than the daemon.
void look_at_state_directory(const settings::Settings& settings, BootErrors& errors,
                             hocon::Diagnostics& warnings) {
  if (settings.state_directory.empty()) return;  // already reported
  const auto makeable = os::can_make_directory(settings.state_directory);
  if (makeable) return;
  const BootError error = state_directory_error(settings, makeable.error());
  if (!makeable.error().is_not_permitted()) return errors.add(error);
  warnings.push_back(error.findings.front());
  warnings.back().warning = warnings.back().remark = true;
}

}  // namespace

base::Result<hocon::Diagnostics, BootError> check(const ConfigDraft& draft, Reach reach) {
  const Configuration& configuration = draft.configuration;
  // reading the configuration has checked everything that needs only the text
  if (reach == Reach::text) {
    if (!draft.errors.empty()) return boot_error(ExitCode::config_wrong, draft.errors);
    return warnings_of(configuration);
  }
  const auto onlooker = onlooker_of(configuration);
  if (!onlooker) return onlooker.error();
  log::Hub hub(&base::monotonic_ns);  // no sink reads from this hub
  Runtime runtime(configuration, hub, 1);
  BootErrors errors;
  hocon::Diagnostics remarks;
  look_at_state_directory(configuration.settings, errors, remarks);
  const auto built = runtime.build_snapshot(draft, Runtime::Use::look, *onlooker);
  if (!built) errors.add(built.error());
  if (!errors.empty()) return errors.combined();
  hocon::Diagnostics warnings = warnings_of(configuration);
  warnings.insert(warnings.end(), remarks.begin(), remarks.end());
  warnings.insert(warnings.end(), built->warnings.begin(), built->warnings.end());
  return warnings;
}

bool has_warnings(const hocon::Diagnostics& findings) {
  return !std::ranges::all_of(findings, &hocon::Diagnostic::remark);
}

}  // namespace actord::config
