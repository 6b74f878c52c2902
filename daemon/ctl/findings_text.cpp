// SPDX-License-Identifier: Apache-2.0
#include "ctl/findings_text.hpp"

#include <algorithm>

#include "base/counted.hpp"

namespace actord::ctl {

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

Counts count(const hocon::Diagnostics& findings) {
  Counts counts;
  for (const hocon::Diagnostic& each : findings)
    ++(each.remark ? counts.notes : each.warning ? counts.warnings : counts.errors);
  return counts;
}

std::string count_text(const hocon::Diagnostics& findings) {
  const Counts counts = count(findings);
  std::vector<std::string> parts;
  if (counts.errors != 0) parts.push_back(base::counted(counts.errors, "error"));
  if (counts.warnings != 0) parts.push_back(base::counted(counts.warnings, "warning"));
  if (counts.notes != 0) parts.push_back(base::counted(counts.notes, "note"));
  if (parts.empty()) return base::counted(0, "error");
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

}  // namespace actord::ctl
