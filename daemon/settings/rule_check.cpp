// SPDX-License-Identifier: Apache-2.0
#include "settings/rule_check.hpp"

#include "base/suggestion.hpp"
#include "schema/setting_codes.hpp"
#include "settings/misleading_values.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

void check_name(Findings& findings, const hocon::Member& rule, const KnownFailures& known) {
  if (known.has(rule.key) || !is_possible_type_name(rule.key)) return;
  hocon::Diagnostic finding =
      coded(schema::codes::unknown_failure,
            rule.value.warn("unknown failure " + hocon::quoted_for_message(rule.key)));
  const std::string_view meant = meant_name(rule.key, known.names());
  const KnownFailures::Plugin* const owner = known.owner_of(rule.key);
  if (!meant.empty()) finding.help = base::did_you_mean(meant);
  if (owner != nullptr) {
    const std::vector<std::string_view> names(owner->failures.begin(), owner->failures.end());
    finding.note = "plugin " + owner->name + " declares " + base::joined(names);
  } else if (meant.empty()) {
    finding.remark = true;
    finding.help = "a rule applies to failures whose type, or a base of it, has exactly this name";
  }
  findings.add(at_key(std::move(finding), rule.key));
}

// `strategy`: a value of supervisor-strategy; may be absent or a word.
void check_strategy(Findings& findings, const Value& strategy, const KnownFailures& known) {
  if (!strategy || !strategy.is_object()) return;
  const Value decider = strategy.member("decider");
  if (!decider || !decider.is_object()) return;
  for (std::size_t i = 0; i < decider.size(); ++i) {
    const hocon::Member rule = decider.at(i);
    if (rule.key != "default" && !rule.value.is_null()) check_name(findings, rule, known);
  }
}

void check_nodes(Findings& findings, const std::vector<Node>& nodes, const KnownFailures& known) {
  for (const Node& node : nodes) {
    check_strategy(findings, node.value.member("supervisor-strategy"), known);
    check_nodes(findings, node.children, known);
  }
}

}  // namespace

void check_rules(Findings& findings, const Settings& settings, const KnownFailures& known) {
  check_strategy(findings, settings.guardian.value, known);
  const Value deployment = settings.tree.find("actord.actor.deployment");
  for (const actor::Deployment& rule : settings.deployments) {
    check_strategy(findings, deployment.member(rule.pattern).member("supervisor-strategy"), known);
  }
  check_nodes(findings, settings.user, known);
}

}  // namespace actord::settings
