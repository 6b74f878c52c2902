// SPDX-License-Identifier: Apache-2.0
#include "settings/strategy_reader.hpp"

#include <algorithm>

#include "hocon/units.hpp"
#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"
#include "settings/object_reader.hpp"

namespace actord::settings {

using actor::Backoff;
using actor::Directive;
using actor::RestartLimit;
using actor::Strategy;
using hocon::Value;

namespace {

std::optional<Directive> directive_of(const Value& value) {
  for (const auto& each : schema::directive_words) {
    if (is_word(value, each.word)) return each.value;
  }
  return std::nullopt;
}

// ---- the restart limit

// Akka uses negative numbers for unlimited. With a window they allow one restart (supervision.md
// 71).
void warn_of_negative(Findings& findings, const Value& value, const Value& within,
                      bool has_window) {
  const std::string written = "max-restarts = " + std::string{value.text()};
  if (!has_window) {
    return findings.add(value.warn(written + " means unlimited", "write max-restarts = unlimited"));
  }
  findings.add(
      value.warn(written + " with a window means one restart within " + std::string{within.text()},
                 "write max-restarts = 1; for no limit remove within"));
}

void read_number_of_restarts(Findings& findings, const Value& value, RestartLimit& restart_limit) {
  const auto number = number_or_word(findings, value, schema::max_restarts_words,
                                     schema::SettingKey::no_min, schema::SettingKey::no_max);
  if (number) restart_limit.max_restarts = *number < 0 ? RestartLimit::unlimited : *number;
}

void read_within(Findings& findings, const Value& value, RestartLimit& restart_limit) {
  if (is_word(value, "infinite")) return;
  const bool is_duration_like =
      value.is_number() ||
      (value.is_string() && !value.text().empty() &&
       std::string_view{"-+.0123456789"}.find(value.text()[0]) != std::string_view::npos);
  if (!is_duration_like)
    return findings.add(unknown_word(value, {"infinite"}, "a duration or infinite"));
  const auto ns = findings.take(value.as_duration_ns());
  if (!ns) return;
  if (*ns > 0) {
    restart_limit.within_ns = *ns;
  } else if (value.is_number() && value.text() == "-1") {
    findings.add(value.warn("within = -1 means infinite", "write within = infinite"));
  } else {
    findings.add(value.reject("within must be longer than 0",
                              "write infinite for a limit over the whole life of a child"));
  }
}

bool is_negative(const Value& max_restarts) {
  if (!max_restarts || is_word(max_restarts, "unlimited") || is_word(max_restarts, "never"))
    return false;
  return hocon::parse_integer(max_restarts.text()).value_or(0) < 0;
}

RestartLimit read_restart_limit(ObjectReader& block) {
  Findings& findings = block.findings();
  RestartLimit restart_limit;
  const Value max_restarts = block.take("max-restarts");
  const Value within = block.take("within");
  if (max_restarts) read_number_of_restarts(findings, max_restarts, restart_limit);
  if (within) read_within(findings, within, restart_limit);
  const bool has_window = restart_limit.within_ns >= 0;
  // the case is ambiguous, so it is an error (supervision.md 71)
  if (has_window && !max_restarts) {
    findings.add(coded(
        schema::codes::needed,
        within.reject(
            "within needs max-restarts",
            "set max-restarts to the number of restarts in that time, as in max-restarts = 10")));
  } else if (has_window && is_word(max_restarts, "unlimited")) {
    restart_limit.within_ns = RestartLimit::for_ever;
    findings.add(coded(schema::codes::no_effect,
                       within.warn("within has no effect, because max-restarts is unlimited",
                                   "write within = infinite, or set max-restarts to a number")));
  }
  if (is_negative(max_restarts)) warn_of_negative(findings, max_restarts, within, has_window);
  return restart_limit;
}

// ---- the decider

// Reads resume | restart | stop | escalate, or { directive = ..., log-level = ... }.
std::optional<actor::Rule> read_rule(Findings& findings, const hocon::Member& member,
                                     const schema::SettingKey& key) {
  const Value& value = member.value;
  actor::Rule rule{std::string{member.key}, Directive::escalate, -1, value.origin_text()};
  Value directive = value;
  if (value.is_object()) {
    ObjectReader block(findings, value, key);
    directive = block.take("directive");
    if (!directive) {
      hocon::Diagnostic missing =
          value.reject("no directive for \"" + value.path() + '"',
                       "write a type whose name has dots in quotes: \"some.Type\" = restart");
      findings.add(at_key(coded(schema::codes::needed, std::move(missing)), member.key));
      return std::nullopt;
    }
    block.read_word("log-level", rule.level, schema::rule_level_words);
    block.finish();
  }
  const auto known = directive_of(directive);
  if (!known) {
    findings.add(unknown_word(directive, schema::names_of(schema::directive_words)));
    return std::nullopt;
  }
  rule.directive = *known;
  return rule;
}

void read_otherwise(Findings& findings, const Value& value, Strategy& strategy, HasCode has_code) {
  using Otherwise = Strategy::Otherwise;
  for (const auto& each : schema::otherwise_words) {
    if (!is_word(value, each.word)) continue;
    if (each.value == Otherwise::code && has_code == HasCode::no) {
      findings.add(value.reject("`code` needs a supervisor with a behaviour, and this one has none",
                                "write a directive, or default-decider"));
    }
    strategy.otherwise = each.value;
    strategy.otherwise_origin = value.origin_text();
    return;
  }
  findings.add(unknown_word(value, schema::names_of(schema::otherwise_words)));
}

void read_decider(ObjectReader& block, Strategy& strategy, HasCode has_code) {
  strategy.otherwise = Strategy::Otherwise::default_decider;
  ObjectReader decider = block.section("decider");
  if (!decider.exists()) return;
  // with a decider in the configuration, types without a rule escalate
  strategy.otherwise = Strategy::Otherwise::escalate;
  if (const Value otherwise = decider.take("default"))
    read_otherwise(block.findings(), otherwise, strategy, has_code);
  for (const hocon::Member& member : decider.take_all()) {
    if (block.findings().is_full()) break;
    if (member.key == "default") continue;
    if (auto rule = read_rule(block.findings(), member, decider.key("*")))
      strategy.rules.push_back(std::move(*rule));
  }
}

// ---- the back-off

std::optional<Backoff> read_backoff(ObjectReader& strategy) {
  ObjectReader block = strategy.section("backoff");
  if (!block.exists()) return std::nullopt;
  Backoff backoff;
  block.read_duration("min", backoff.min_ns);
  block.read_duration("max", backoff.max_ns);
  block.read("random-factor", backoff.random_factor);
  backoff.reset_after_ns = backoff.min_ns;
  block.read_duration("reset-after", backoff.reset_after_ns);
  block.read("capacity", backoff.capacity);
  const auto reject = [&](std::string_view key, std::string reason) {
    const Value at = block.object().member(key);
    block.findings().add((at ? at : block.object()).reject(std::move(reason)));
  };
  const bool is_complete = backoff.min_ns > 0 && backoff.max_ns > 0;
  if (is_complete && backoff.max_ns < backoff.min_ns) {
    reject("max", "max is shorter than min");
  } else if (is_complete &&
             (backoff.reset_after_ns < backoff.min_ns || backoff.reset_after_ns > backoff.max_ns)) {
    reject("reset-after", "reset-after must lie between min and max");
  }
  block.finish({{"min-backoff", "min"}, {"max-backoff", "max"}, {"auto-reset", "reset-after"}});
  return backoff;
}

Strategy read_block(Findings& findings, const Value& value, HasCode has_code) {
  static const schema::SettingKey& section = *schema::key_for("actord.user.*.supervisor-strategy");
  ObjectReader block(findings, value, section);
  Strategy strategy;
  strategy.name = "config";
  strategy.origin = value.origin_text();
  block.read_word("type", strategy.kind, schema::strategy_kind_words);
  strategy.restart_limit = read_restart_limit(block);
  read_decider(block, strategy, has_code);
  block.read("logging-enabled", strategy.is_logging);
  strategy.backoff = read_backoff(block);
  block.finish({{"max-nr-of-retries", "max-restarts"},
                {"max-retries", "max-restarts"},
                {"within-time-range", "within"},
                {"within-time-milliseconds", "within"},
                {"strategy", "type"}});
  return strategy;
}

}  // namespace

const std::vector<std::string_view>& strategy_class_names() {
  static const std::vector<std::string_view> names = {
      "akka.actor.DefaultSupervisorStrategy",
      "akka.actor.StoppingSupervisorStrategy",
      "org.apache.pekko.actor.DefaultSupervisorStrategy",
      "org.apache.pekko.actor.StoppingSupervisorStrategy",
      "Akka.Actor.DefaultSupervisorStrategy",
      "Akka.Actor.StoppingSupervisorStrategy"};
  return names;
}

std::optional<Strategy> strategy_named(std::string_view name) {
  if (name == "default") return actor::default_strategy();
  if (name == "stopping") return actor::stopping_strategy();
  constexpr std::string_view assembly = ", Akka";  // Akka.NET appends the assembly to type names
  if (name.ends_with(assembly)) name.remove_suffix(assembly.size());
  const auto& classes = strategy_class_names();
  if (std::find(classes.begin(), classes.end(), name) == classes.end()) return std::nullopt;
  return name.ends_with("DefaultSupervisorStrategy") ? actor::default_strategy()
                                                     : actor::stopping_strategy();
}

void read_max_restarts(Findings& findings, const Value& value, RestartLimit& restart_limit) {
  read_number_of_restarts(findings, value, restart_limit);
  if (is_negative(value)) warn_of_negative(findings, value, {}, false);
}

void set_origin(Strategy& strategy, const std::string& origin) {
  strategy.origin = origin;
  strategy.otherwise_origin = origin;
  for (actor::Rule& rule : strategy.rules) rule.origin = origin;
}

std::optional<Strategy> read_strategy(Findings& findings, const Value& value, HasCode has_code) {
  if (value.is_object()) return read_block(findings, value, has_code);
  std::optional<Strategy> named = value.is_string() ? strategy_named(value.text()) : std::nullopt;
  if (named) set_origin(*named, value.origin_text());
  else findings.add(unknown_word(value, {"default", "stopping"}, "default, stopping or a block"));
  return named;
}

}  // namespace actord::settings
