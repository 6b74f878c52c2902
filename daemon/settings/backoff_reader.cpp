// SPDX-License-Identifier: Apache-2.0
#include "settings/backoff_reader.hpp"

#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"
#include "settings/strategy_reader.hpp"

namespace actord::settings {

using actor::Strategy;
using hocon::Value;

namespace {

using Mode = BackoffSupervisorSettings::Mode;

// Reads { reply = TYPE, with { ... } }, { forward = PATH } or the word dead-letter.
void read_while_down(ObjectReader& block, BackoffSupervisorSettings& settings) {
  Findings& findings = block.findings();
  const Value value = block.take("while-down");
  if (!value || is_word(value, "dead-letter")) return;
  if (!value.is_object()) {
    return findings.add(
        unknown_word(value, {"dead-letter"}, "dead-letter, { reply = ... } or { forward = ... }"));
  }
  ObjectReader reader(findings, value, block.key("while-down"));
  settings.reply = reader.take("reply");
  settings.reply_fields = reader.take("with");
  settings.forward = reader.take("forward");
  reader.finish();
  if (settings.reply.exists() == settings.forward.exists()) {
    return findings.add(coded(schema::codes::conflict,
                              value.reject("while-down needs either reply or forward",
                                           "write { reply = \"some.Message/1\" }, { forward = "
                                           "\"/user/other\" } or the word dead-letter")));
  }
  if (settings.reply && !settings.reply.is_string())
    findings.add(settings.reply.mismatch("the name of a message"));
  if (settings.reply_fields && !settings.reply)
    findings.add(settings.reply_fields.reject("`with` needs a reply"));
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
    findings.add(coded(schema::codes::conflict,
                       value.reject("final-stop needs mode = on-stop",
                                    "with on-failure the supervisor always stops with its child")));
  }
}

void read_times(ObjectReader& block, BackoffSupervisorSettings& settings) {
  Findings& findings = block.findings();
  block.read_duration("min", settings.min_ns);
  block.read_duration("max", settings.max_ns);
  block.read("random-factor", settings.random_factor);
  schema::BackoffReset reset = schema::BackoffReset::automatic;
  block.read_word("reset", reset, schema::backoff_reset_words);
  settings.reset_after_ns = reset == schema::BackoffReset::automatic ? settings.min_ns : 0;
  const Value reset_after = block.object().member("reset-after");
  block.read_duration("reset-after", settings.reset_after_ns);
  const bool has_reset_after = reset_after && !reset_after.is_null();
  if (settings.min_ns <= 0 || settings.max_ns <= 0) return;
  if (settings.max_ns < settings.min_ns)
    return findings.add(block.object().member("max").reject("max is shorter than min"));
  if (has_reset_after && reset == schema::BackoffReset::manual)
    return findings.add(
        coded(schema::codes::conflict, reset_after.reject("reset-after needs reset = auto")));
  if (has_reset_after &&
      (settings.reset_after_ns < settings.min_ns || settings.reset_after_ns > settings.max_ns))
    findings.add(reset_after.reject("reset-after must lie between min and max"));
}

// The limit belongs to the strategy (supervision.md 174), and only one of the two keys may set it.
void read_limit(ObjectReader& actor, ObjectReader& block, Node& node) {
  Findings& findings = block.findings();
  const Value limit = block.take(BackoffSupervisorSettings::limit_key);
  if (!limit) return;
  const Value strategy = actor.object().member("supervisor-strategy");
  const Value other = strategy && strategy.is_object() ? strategy.member("max-restarts") : Value{};
  if (other && !other.is_null()) {
    hocon::Diagnostic both =
        limit.reject("max-restarts is also set in supervisor-strategy", "keep one of them");
    both.code = schema::codes::conflict;
    both.note = "the other one is at " + other.origin_text();
    return findings.add(std::move(both));
  }
  if (!node.options.strategy) {
    node.options.strategy = actor::default_strategy();
    set_origin(*node.options.strategy, limit.origin_text());
  }
  read_max_restarts(findings, limit, node.options.strategy->restart_limit);
}

// Without a rule for a failure, the default decider decides (supervision.md 170).
void complete_strategy(ObjectReader& actor, Node& node) {
  const Value written = actor.object().member("supervisor-strategy");
  if (!node.options.strategy || !written || !written.is_object()) return;
  const Value decider = written.member("decider");
  const Value otherwise = decider && decider.is_object() ? decider.member("default") : Value{};
  if (!otherwise || otherwise.is_null())
    node.options.strategy->otherwise = Strategy::Otherwise::default_decider;
  if (node.options.strategy->backoff) {
    actor.findings().add(coded(
        schema::codes::conflict,
        written.member("backoff").reject(
            "a back-off supervisor delays restarts itself: its strategy must not have a backoff",
            "remove either backoff or backoff-supervisor")));
  }
}

}  // namespace

void read_backoff_supervisor(ObjectReader& actor, Node& node) {
  const Value value = actor.take("backoff-supervisor");
  if (!value) return;
  ObjectReader block(actor.findings(), value, actor.key("backoff-supervisor"));
  if (!block.exists()) return;
  BackoffSupervisorSettings& settings = node.backoff.emplace();
  settings.value = value;
  block.read_word("mode", settings.mode, schema::backoff_mode_words);
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

}  // namespace actord::settings
