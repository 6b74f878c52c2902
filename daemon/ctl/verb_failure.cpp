// SPDX-License-Identifier: Apache-2.0
#include "ctl/verb_failure.hpp"

#include <algorithm>
#include <ostream>

#include "config/json_forms.hpp"
#include "ctl/findings_text.hpp"
#include "ctl/json_output.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

/// Whether a finding already says the same: a daemon's reason may be its first finding.
bool is_in_findings(const Failure& failure) {
  return std::any_of(failure.findings.begin(), failure.findings.end(), [&](const auto& finding) {
    return !finding.warning &&
           (failure.what == finding.message || failure.what.ends_with(": " + finding.message));
  });
}

}  // namespace

Failure failure_of(Exit exit, hocon::Diagnostics findings) {
  const auto first = std::find_if(findings.begin(), findings.end(),
                                  [](const auto& finding) { return !finding.warning; });
  std::string what = first == findings.end() ? count_text(findings) : first->message;
  return {exit, std::move(what), {}, std::move(findings)};
}

Json json_of(const Failure& failure) {
  Json json = {{"error", failure.what}, {"exit", static_cast<int>(failure.exit)}};
  if (!failure.help.empty()) json["help"] = failure.help;
  if (!failure.findings.empty()) json["findings"] = config::json_of(failure.findings);
  if (!failure.more.is_object()) return json;
  for (const auto& [name, value] : failure.more.items()) {
    if (!json.contains(name)) json[name] = value;
  }
  return json;
}

Exit report_failure(const Call& call, const Failure& failure) {
  if (call.is_json()) {
    print_json(call.out, json_of(failure));
    return failure.exit;
  }
  if (!is_in_findings(failure)) {
    call.err << "actorctl: " << failure.what << '\n';
    if (!failure.help.empty()) call.err << "  " << failure.help << '\n';
  }
  call.err << hocon::format(failure.findings);
  return failure.exit;
}

Exit conclude(const Call& call, Json answer, hocon::Diagnostics errors, Exit wrong) {
  if (errors.empty()) {
    if (call.is_json()) print_json(call.out, answer);
    return Exit::ok;
  }
  Failure failure = failure_of(wrong, std::move(errors));
  failure.more = std::move(answer);
  return report_failure(call, failure);
}

}  // namespace actord::ctl
