// SPDX-License-Identifier: Apache-2.0
#include "config/boot_error.hpp"

#include <algorithm>

#include "settings/findings.hpp"

namespace actord::config {

namespace {

constexpr std::size_t findings_shown = 8;

}  // namespace

std::string on_one_screen(const hocon::Diagnostics& findings) {
  hocon::Diagnostics sorted = findings;
  std::stable_partition(sorted.begin(), sorted.end(),
                        [](const auto& each) { return !each.warning; });
  const std::size_t shown = std::min(sorted.size(), findings_shown);
  const std::size_t beyond = sorted.size() - shown;
  sorted.resize(shown);
  std::string text = hocon::format(sorted);
  if (beyond != 0)
    text += "… and " + std::to_string(beyond) + " more; actorctl config check lists all\n";
  return text;
}

BootError lost_child_error(const system::LostChild& lost, const std::string& origin) {
  const os::SystemError cause{static_cast<int>(lost.error_number), lost.what};
  BootError error = boot_error(
      cause.is_not_permitted() ? ExitCode::not_permitted : ExitCode::boot_failed,
      "the actor " + lost.path + " could not be created: " + lost.what + " (" + lost.type + ')');
  if (!origin.empty()) error.screen += "  it is configured at " + origin + '\n';
  error.screen += "  set actord.boot.on-failure = degrade to start without it\n";
  return error;
}

/// EACCES and EPERM have an exit status of their own, after which systemd does not restart actord.
ExitCode exit_code_of(const os::SystemError& error) {
  return error.is_not_permitted() ? ExitCode::not_permitted : ExitCode::operating_system;
}

BootError boot_error(ExitCode code, const hocon::Diagnostics& findings) {
  BootError error{code, on_one_screen(findings), "the configuration has errors", findings};
  const auto first = std::find_if(findings.begin(), findings.end(),
                                  [](const auto& each) { return !each.warning; });
  if (first != findings.end()) {
    error.reason = first->message;
    if (!first->file.empty()) {
      error.reason = first->file + (first->line != 0 ? ':' + std::to_string(first->line) : "") +
                     ": " + error.reason;
    }
  }
  return error;
}

BootError state_directory_error(const settings::Settings& settings, const os::SystemError& why) {
  return boot_error(exit_code_of(why), "the state directory: " + why.what,
                    "it is set by " + settings.state_directory_source);
}

BootError BootErrors::combined() const {
  ACTORD_ASSERT(!errors_.empty());
  if (errors_.size() == 1) return errors_.front();
  const ExitCode first = errors_.front().code;
  const bool is_one_kind =
      std::ranges::all_of(errors_, [&](const BootError& each) { return each.code == first; });
  hocon::Diagnostics all;
  for (const BootError& each : errors_)
    all.insert(all.end(), each.findings.begin(), each.findings.end());
  return boot_error(is_one_kind ? first : ExitCode::config_wrong,
                    settings::in_order(std::move(all)));
}

}  // namespace actord::config
