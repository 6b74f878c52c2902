// SPDX-License-Identifier: Apache-2.0
#include "app/boot_error.hpp"

#include <algorithm>

namespace actord::app {

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
  if (beyond != 0) text += "… and " + std::to_string(beyond) + " more like these\n";
  return text;
}

BootError boot_error(ExitCode code, const hocon::Diagnostics& findings) {
  BootError error{code, on_one_screen(findings), "the configuration is wrong", findings};
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

}  // namespace actord::app
