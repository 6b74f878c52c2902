// SPDX-License-Identifier: Apache-2.0
#include "ctl/findings_text.hpp"

#include <algorithm>

namespace actord::ctl {

namespace {

std::string counted(std::size_t n, const std::string& what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

}  // namespace

std::string gcc_text(const hocon::Diagnostics& findings) {
  std::string out;
  for (const hocon::Diagnostic& finding : findings) {
    out += finding.file.empty() ? std::string{"actord"} : finding.file;
    if (finding.line != 0)
      out += ':' + std::to_string(finding.line) + ':' + std::to_string(finding.column);
    const char* const severity = finding.warning ? ": warning: " : ": error: ";
    out += finding.remark ? ": note: " : severity;
    std::string line = finding.message + (finding.help.empty() ? "" : "; " + finding.help);
    if (!finding.code.empty()) line.append(" [").append(finding.code).append("]");
    std::replace(line.begin(), line.end(), '\n', ' ');
    out += line + '\n';
  }
  return out;
}

std::size_t count_errors(const hocon::Diagnostics& findings) {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(),
                                                [](const auto& each) { return !each.warning; }));
}

std::string count_text(const hocon::Diagnostics& findings) {
  const std::size_t errors = count_errors(findings);
  const std::size_t warnings = findings.size() - errors;
  if (warnings == 0) return counted(errors, "error");
  if (errors == 0) return counted(warnings, "warning");
  return counted(errors, "error") + " and " + counted(warnings, "warning");
}

}  // namespace actord::ctl
