// SPDX-License-Identifier: Apache-2.0
#include "settings/misleading_values.hpp"

#include <algorithm>

#include "actor/path.hpp"
#include "schema/setting_codes.hpp"
#include "settings/object_reader.hpp"

namespace actord::settings {

using actor::Strategy;
using hocon::Value;

namespace {

void warn(Findings& findings, std::string_view code, const Value& value, std::string what,
          std::string help) {
  findings.add(at_key(coded(code, value.warn(std::move(what), std::move(help))), value.key()));
}

// ---- strategies

// The first type that the strategy restarts; empty: it restarts nothing.
std::string what_is_restarted(const Strategy& strategy) {
  for (const actor::Rule& rule : strategy.rules) {
    if (rule.directive == actor::Directive::restart) return rule.type;
  }
  const bool is_by_default = strategy.otherwise == Strategy::Otherwise::restart ||
                             strategy.otherwise == Strategy::Otherwise::default_decider ||
                             strategy.otherwise == Strategy::Otherwise::code;
  return is_by_default ? "any exception without a rule" : "";
}

// Why no failure has a type of that name, and how to correct it; empty: the name is possible.
std::pair<std::string, std::string> why_no_type_is_called(std::string_view name) {
  if (name.empty()) return {"no type has an empty name", "remove the rule"};
  if (name.starts_with("::"))
    return {"type names are matched without a :: before them",
            "write \"" + std::string{name.substr(2)} + '"'};
  if (name.find('.') != name.npos)
    return {"C++ type names have no dots",
            "write namespaces with ::, as in \"std::runtime_error\""};
  const bool has_outer_blank = name.front() == ' ' || name.back() == ' ';
  if (has_outer_blank) return {"a type name has no blanks around it", "remove the blanks"};
  for (const std::string_view word : {"class ", "struct ", "enum "}) {
    if (name.starts_with(word))
      return {"type names are matched without the word " + std::string{word},
              "write \"" + std::string{name.substr(word.size())} + '"'};
  }
  return {};
}

void warn_of_rules(Findings& findings, const Value& decider, const Strategy& strategy) {
  for (const actor::Rule& rule : strategy.rules) {
    const Value written = decider.member(rule.type);
    const auto [why, help] = why_no_type_is_called(rule.type);
    if (!written) continue;
    if (!why.empty()) {
      warn(findings, schema::codes::no_effect, written, "this rule is never chosen: " + why, help);
    } else if (rule.directive == actor::Directive::restart &&
               strategy.restart_limit.max_restarts == 0) {
      warn(findings, schema::codes::no_effect, written,
           "nothing is restarted, because max-restarts is never: failures of this rule stop the "
           "child",
           "write \"" + rule.type + "\" = stop, or allow restarts");
    }
  }
}

// Says that the rule for a general type restarts what a failed constructor leaves, too: the default
// decider stops it. Only a remark, since `case _: Exception => Restart` does the same in Akka.
void remark_on_constructors(Findings& findings, const Value& decider, const Strategy& strategy) {
  actor::TypeChains chains;
  actor::Failure failure;
  failure.types = &chains.intern(actor::causes::initialization, false);
  const actor::Verdict verdict = judge(strategy, failure);
  const Value written = decider.member(verdict.rule);
  const bool is_meant = verdict.rule == failure.types->type() || verdict.rule == "default";
  if (is_meant || !written || verdict.directive != actor::Directive::restart ||
      strategy.restart_limit.max_restarts == 0)
    return;
  hocon::Diagnostic remark = written.warn(
      "this rule covers actord::InitializationFailure: an actor whose constructor or "
      "pre_start fails is restarted, too",
      "add \"actord::InitializationFailure\" = stop, as the default decider has it; or = "
      "restart, if this is what you mean");
  remark.remark = true;
  findings.add(at_key(coded(schema::codes::misleading, std::move(remark)), written.key()));
}

void warn_of_budget(Findings& findings, const Value& written, const Strategy& strategy) {
  const Value max_restarts = written.member("max-restarts");
  const Value within = written.member("within");
  if (max_restarts && max_restarts.is_number() && strategy.restart_limit.max_restarts == 0) {
    findings.add(max_restarts.warn(
        "max-restarts = " + std::string{max_restarts.text()} + " allows no restart",
        "write max-restarts = never"));
  }
  if (within && strategy.restart_limit.within_ns >= 0 && strategy.restart_limit.max_restarts == 0) {
    warn(findings, schema::codes::no_effect, within,
         "within has no effect, because max-restarts allows no restart", "remove within");
  }
}

// ---- actors

const Node* node_at(const std::vector<Node>& nodes, std::string_view path) {
  for (const Node& node : nodes) {
    if (node.path == path) return &node;
    if (const Node* const below = node_at(node.children, path)) return below;
  }
  return nullptr;
}

// Warns of members of a rule that have no effect because the actor's own node sets them too.
void warn_of_hidden_rules(Findings& findings, const Settings& settings) {
  const Value deployment = settings.tree.find("actord.actor.deployment");
  for (const actor::Deployment& rule : settings.deployments) {
    const Node* const node = node_at(settings.user, rule.pattern);
    if (node == nullptr) continue;
    const Value written = deployment.member(rule.pattern);
    for (std::size_t i = 0; i < written.size(); ++i) {
      const hocon::Member member = written.at(i);
      const Value own = node->value.member(member.key);
      if (!own || own.is_null() || member.value.is_null()) continue;
      hocon::Diagnostic hidden = member.value.warn(
          "the actor's own " + std::string{member.key} + " has priority over this one",
          "keep one of them");
      hidden.note = "the other one is at " + own.origin_text();
      findings.add(at_key(coded(schema::codes::no_effect, std::move(hidden)), member.key));
    }
  }
}

// The strategy of the back-off supervisor in front of the actor.
const Strategy& strategy_in_front(const Node& node, const Settings& settings) {
  if (node.options.strategy) return *node.options.strategy;
  const auto rule =
      std::find_if(settings.deployments.begin(), settings.deployments.end(),
                   [&](const auto& each) { return actor::path_matches(each.pattern, node.path); });
  const bool has_rule = rule != settings.deployments.end() && rule->options.strategy;
  return has_rule ? *rule->options.strategy : actor::default_strategy();
}

// With mode = on-stop only a stop causes a delay. A restart by the strategy happens at once.
void warn_of_restarts(Findings& findings, const Node& node, const Settings& settings) {
  if (!node.backoff || node.backoff->mode != BackoffSupervisorSettings::Mode::on_stop) return;
  const std::string what = what_is_restarted(strategy_in_front(node, settings));
  if (what.empty()) return;
  warn(findings, schema::codes::misleading, node.backoff->value,
       "with on-stop restarts are not delayed, and the strategy decides restart for " + what,
       "write supervisor-strategy = stopping to delay after failures, or mode = on-failure");
}

// Warns of a strategy without effect: it applies to the children of its actor, and there are none.
void warn_of_idle_strategy(Findings& findings, const Node& node) {
  const Value written = node.value.member("supervisor-strategy");
  const bool may_have_children = node.behaviour || !node.children.empty() || node.backoff;
  if (!written || written.is_null() || may_have_children) return;
  warn(findings, schema::codes::no_effect, written,
       "a strategy applies to the children of its actor, and this actor has none",
       "failures of the actor itself are decided by the strategy of its parent");
}

// Warns of isolation without effect: of an actor that has no code of a plugin, and of a group of an
// actor that its own node does not isolate.
void warn_of_idle_isolation(Findings& findings, const Node& node) {
  const Value isolation = node.value.member("isolation"), worker = node.value.member("worker");
  const bool is_built_in = !node.behaviour || node.behaviour.text().starts_with("actord/");
  for (const Value& written : {isolation, worker}) {
    if (!written || written.is_null() || !is_built_in) continue;
    warn(findings, schema::codes::no_effect, written,
         "this actor has no code of a plugin, and only such code can be isolated",
         "write it where the actor's children are configured, or in a deployment pattern for them");
  }
  if (!is_built_in && worker && !worker.is_null() &&
      node.options.isolation == actor::Isolation::thread) {
    warn(findings, schema::codes::no_effect, worker,
         "a group is one of isolated actors, and this actor has isolation = thread",
         "write isolation = process, or remove worker");
  }
}

void warn_of_each(Findings& findings, const std::vector<Node>& nodes, const Settings& settings) {
  for (const Node& node : nodes) {
    warn_of_restarts(findings, node, settings);
    warn_of_idle_strategy(findings, node);
    warn_of_idle_isolation(findings, node);
    warn_of_each(findings, node.children, settings);
  }
}

}  // namespace

void warn_of_strategy(Findings& findings, const Value& written, const Strategy& strategy) {
  if (!written || !written.is_object()) return;
  if (const Value decider = written.member("decider"); decider && decider.is_object()) {
    warn_of_rules(findings, decider, strategy);
    remark_on_constructors(findings, decider, strategy);
  }
  warn_of_budget(findings, written, strategy);
  const bool restarts = !what_is_restarted(strategy).empty();
  const bool never = strategy.restart_limit.max_restarts == 0;
  if (strategy.backoff && (!restarts || never)) {
    warn(findings, schema::codes::no_effect, written.member("backoff"),
         "a back-off delays restarts, and this strategy restarts nothing",
         never ? "allow restarts with max-restarts" : "add a rule with restart to decider");
  }
  const Value max_restarts = written.member("max-restarts");
  if (!restarts && strategy.restart_limit.max_restarts > 0 && max_restarts) {
    warn(findings, schema::codes::no_effect, max_restarts,
         "max-restarts counts restarts, and this strategy restarts nothing",
         "add a rule with restart to decider");
  }
}

bool is_possible_type_name(std::string_view name) {
  return why_no_type_is_called(name).first.empty();
}

void warn_of_actors(Findings& findings, const Settings& settings) {
  warn_of_each(findings, settings.user, settings);
  warn_of_hidden_rules(findings, settings);
}

void warn_of_idle_plugins(Findings& findings, const Settings& settings) {
  const std::vector<WantedPlugin> wanted = plugins_wanted(settings);
  std::vector<std::string_view> names;
  for (const WantedPlugin& each : wanted) names.push_back(each.name);
  for (const char* const section : {"actord.plugins.limits", "actord.plugins.isolation"}) {
    const Value by_plugin = settings.tree.find(section);
    for (std::size_t i = 0; by_plugin && by_plugin.is_object() && i < by_plugin.size(); ++i) {
      const hocon::Member member = by_plugin.at(i);
      if (std::ranges::find(names, member.key) != names.end()) continue;
      hocon::Diagnostic idle = member.value.warn(
          "no actor of the configuration is of the plugin " + hocon::quoted_for_message(member.key),
          suggestion_for(member.key, names, "plugins here: "));
      findings.add(at_key(coded(schema::codes::no_effect, std::move(idle)), member.key));
    }
  }
}

}  // namespace actord::settings
