// SPDX-License-Identifier: Apache-2.0
#include "settings/backoff_reader.hpp"

#include <algorithm>

#include "actor/path.hpp"
#include "settings/strategy_reader.hpp"

namespace actord::settings {

using actor::Strategy;
using hocon::Value;

namespace {

using Mode = BackoffSupervisorSettings::Mode;

void need(ObjectReader& block, std::string_view key) {
  if (block.object().member(key)) return;
  block.findings().add(
      block.object().reject("backoff-supervisor needs " + std::string{key},
                            "as in backoff-supervisor { mode = on-stop, min = 3 s, max = 30 s }"));
}

// { reply = TYPE, with { ... } }, { forward = PATH } or the word dead-letter
void read_while_down(ObjectReader& block, BackoffSupervisorSettings& settings) {
  Findings& findings = block.findings();
  const Value value = block.take("while-down");
  if (!value || is_word(value, "dead-letter")) return;
  if (!value.is_object()) {
    return findings.add(
        no_such_word(value, {"dead-letter"}, "dead-letter, { reply = ... } or { forward = ... }"));
  }
  ObjectReader reader(findings, value, block.pattern_of("while-down"));
  settings.reply = reader.take("reply");
  settings.reply_fields = reader.take("with");
  settings.forward = reader.take("forward");
  reader.finish();
  if (settings.reply.exists() == settings.forward.exists()) {
    return findings.add(value.reject("while-down takes one of reply and forward",
                                     "write { reply = \"some.Message/1\" }, { forward = "
                                     "\"/user/other\" } or the word dead-letter"));
  }
  if (settings.reply && !settings.reply.is_string())
    findings.add(settings.reply.mismatch("the name of a message"));
  if (settings.reply_fields && !settings.reply)
    findings.add(settings.reply_fields.reject("with describes a reply, and there is none"));
  if (settings.reply_fields && !settings.reply_fields.is_object())
    findings.add(settings.reply_fields.mismatch("an object"));
  const auto path = settings.forward ? findings.take(settings.forward.as_string()) : std::nullopt;
  if (path && !path->starts_with('/'))
    findings.add(settings.forward.mismatch("the path of an actor, such as /user/other"));
}

void read_final_stop(ObjectReader& block, BackoffSupervisorSettings& settings) {
  Findings& findings = block.findings();
  const Value value = block.take("final-stop");
  const auto types = value ? findings.take(value.as_list()) : std::nullopt;
  for (const Value& type : types ? *types : std::vector<Value>{}) {
    if (type.is_string()) settings.final_stop.push_back(type);
    else findings.add(type.mismatch("the name of a message"));
  }
  if (value && settings.mode == Mode::on_failure) {
    findings.add(value.reject("final-stop is for mode = on-stop",
                              "with on-failure the supervisor ends with its child anyway"));
  }
}

void read_times(ObjectReader& block, BackoffSupervisorSettings& settings) {
  enum class Reset { automatic, by_hand };
  Findings& findings = block.findings();
  need(block, "min");
  need(block, "max");
  block.read_duration("min", settings.min_ns, 1);
  block.read_duration("max", settings.max_ns, 1);
  block.read("random-factor", settings.random_factor, 0, 1);
  Reset reset = Reset::automatic;
  block.read_word("reset", reset, {{"auto", Reset::automatic}, {"manual", Reset::by_hand}});
  settings.reset_after_ns = reset == Reset::automatic ? settings.min_ns : 0;
  const Value reset_after = block.object().member("reset-after");
  block.read_duration("reset-after", settings.reset_after_ns, 1);
  const bool has_reset_after = reset_after && !reset_after.is_null();
  if (settings.min_ns <= 0 || settings.max_ns <= 0) return;
  if (settings.max_ns < settings.min_ns)
    return findings.add(block.object().member("max").reject("max is shorter than min"));
  if (has_reset_after && reset == Reset::by_hand)
    return findings.add(reset_after.reject("reset-after is for reset = auto"));
  if (has_reset_after &&
      (settings.reset_after_ns < settings.min_ns || settings.reset_after_ns > settings.max_ns))
    findings.add(reset_after.reject("reset-after must lie between min and max"));
}

// The limit lives on the strategy (supervision.md 174), and is said in one place.
void read_limit(ObjectReader& actor, ObjectReader& block, Node& node) {
  Findings& findings = block.findings();
  const Value limit = block.take("max-restarts");
  if (!limit) return;
  const Value strategy = actor.object().member("supervisor-strategy");
  const Value other = strategy && strategy.is_object() ? strategy.member("max-restarts") : Value{};
  if (other && !other.is_null()) {
    hocon::Diagnostic both =
        limit.reject("max-restarts stands in supervisor-strategy as well", "keep one of them");
    both.note = "the other one stands at " + other.place();
    return findings.add(std::move(both));
  }
  if (!node.strategy) {
    node.strategy = actor::default_strategy();
    say_where_it_was_chosen(*node.strategy, limit.place());
  }
  read_max_restarts(findings, limit, node.strategy->budget);
}

// supervision.md 170: what no rule names is for the default decider.
void complete_strategy(ObjectReader& actor, Node& node) {
  const Value written = actor.object().member("supervisor-strategy");
  if (!node.strategy || !written || !written.is_object()) return;
  const Value decider = written.member("decider");
  const Value otherwise = decider && decider.is_object() ? decider.member("default") : Value{};
  if (!otherwise || otherwise.is_null())
    node.strategy->otherwise = Strategy::Otherwise::default_decider;
  if (node.strategy->backoff) {
    actor.findings().add(written.member("backoff").reject(
        "a back-off supervisor waits itself: its strategy takes no backoff",
        "take backoff out here, or the block backoff-supervisor"));
  }
}

// What is restarted; empty if nothing is.
std::string what_is_restarted(const Strategy& strategy) {
  for (const actor::Rule& rule : strategy.rules) {
    if (rule.directive == actor::Directive::restart) return rule.type;
  }
  const bool is_by_default = strategy.otherwise == Strategy::Otherwise::restart ||
                             strategy.otherwise == Strategy::Otherwise::default_decider ||
                             strategy.otherwise == Strategy::Otherwise::code;
  return is_by_default ? "any exception without a rule" : "";
}

void warn_of_restarts_in(Findings& findings, const std::vector<Node>& nodes,
                         const std::vector<system::PathRule>& deployments) {
  for (const Node& node : nodes) {
    warn_of_restarts_in(findings, node.children, deployments);
    if (!node.backoff || node.backoff->mode != Mode::on_stop) continue;
    const auto rule = std::find_if(deployments.begin(), deployments.end(), [&](const auto& each) {
      return actor::path_matches(each.pattern, node.path);
    });
    const Strategy* strategy = &actor::default_strategy();
    if (rule != deployments.end() && rule->strategy) strategy = &*rule->strategy;
    if (node.strategy) strategy = &*node.strategy;
    const std::string what = what_is_restarted(*strategy);
    if (what.empty()) continue;
    findings.add(at_key(
        node.backoff->value.warn(
            "with on-stop a restart does not wait, and the strategy restarts " + what,
            "write supervisor-strategy = stopping to wait after failures, or mode = on-failure"),
        "backoff-supervisor"));
  }
}

}  // namespace

void read_backoff_supervisor(ObjectReader& actor, Node& node) {
  const Value value = actor.take("backoff-supervisor");
  if (!value) return;
  ObjectReader block(actor.findings(), value, actor.pattern_of("backoff-supervisor"));
  if (!block.exists()) return;
  BackoffSupervisorSettings& settings = node.backoff.emplace();
  settings.value = value;
  need(block, "mode");
  block.read_word("mode", settings.mode,
                  {{"on-stop", Mode::on_stop}, {"on-failure", Mode::on_failure}});
  read_times(block, settings);
  read_limit(actor, block, node);
  read_while_down(block, settings);
  read_final_stop(block, settings);
  complete_strategy(actor, node);
  block.finish({{"min-backoff", "min"},
                {"max-backoff", "max"},
                {"auto-reset", "reset-after"},
                {"max-nr-of-retries", "max-restarts"},
                {"within", "supervisor-strategy.within"},
                {"final-stop-message", "final-stop"},
                {"supervisor-strategy", "supervisor-strategy beside backoff-supervisor"}});
}

void warn_of_restarts(Findings& findings, const Settings& settings) {
  warn_of_restarts_in(findings, settings.user, settings.deployments);
}

}  // namespace actord::settings
