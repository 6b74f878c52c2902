// SPDX-License-Identifier: Apache-2.0
#include "schema/known_words.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

SettingKeys strategy_keys() {
  SettingKeys keys = {
      {.path = ".type",
       .type = Type::word,
       .words = names_of(strategy_kind_words),
       .default_value = "one-for-one",
       .doc = "Which children a decision applies to: the child that failed (one-for-one), or all "
              "children (all-for-one)."},
      {.path = ".max-restarts",
       .type = Type::integer,
       .words = names_of(max_restarts_words),
       .default_value = "unlimited",
       .example = "10",
       .doc = "Restarts of a child that are allowed; at a further failure it is stopped. A "
              "negative number gets a warning and means what it means in Akka: unlimited, or with "
              "`within` one restart."},
      {.path = ".within",
       .type = Type::duration,
       .words = {"infinite"},
       .min = 1,
       .default_value = "infinite",
       .example = "1 minute",
       .doc =
           "The time window in which restarts are counted; it begins with the first failure. Needs "
           "max-restarts; with max-restarts = unlimited it has no effect, and a warning says so."},

      {.path = ".decider",
       .type = Type::names,
       .name = "\"TYPE\"",
       .doc = "The directive for each type of failure. A rule for a base class applies too; the "
              "rule for the most derived type wins. If not set: the default decider."},
      {.path = ".decider.*",
       .words = names_of(directive_words),
       .range = "resume | restart | stop | escalate | { directive = ..., log-level = error | "
                "warning | info | debug }",
       .example = "{ directive = restart, log-level = warning }",
       .doc = "A type of failure in quotes, and its directive; a block also sets the level of the "
              "log line."},
      {.path = ".decider.*.directive",
       .type = Type::word,
       .words = names_of(directive_words),
       .is_needed = true,
       .example = "restart",
       .shown = Shown::in_example,
       .doc = "The directive."},
      {.path = ".decider.*.log-level",
       .type = Type::word,
       .words = names_of(rule_level_words),
       .example = "warning",
       .shown = Shown::in_example,
       .doc = "The level of the log line. If not set: warning for resume, else error."},
      {.path = ".decider.default",
       .type = Type::word,
       .words = names_of(otherwise_words),
       .default_value = "escalate",
       .doc = "The directive for types without a rule. code: the behaviour's own decision. "
              "default-decider: the decision of the default decider."},

      {.path = ".logging-enabled",
       .type = Type::boolean,
       .default_value = "on",
       .doc = "Whether failures that this strategy decides are logged."},

      {.path = ".backoff",
       .doc = "Delays each restart; each delay is twice as long as the one before: min, 2 min, 4 "
              "min, ... at most max. Meanwhile the actor keeps its address and its messages."},
      {.path = ".backoff.min",
       .type = Type::duration,
       .min = 1,
       .is_needed = true,
       .example = "3 s",
       .doc = "The first delay."},
      {.path = ".backoff.max",
       .type = Type::duration,
       .min = 1,
       .is_needed = true,
       .range = "a duration of at least min",
       .example = "30 s",
       .doc = "The longest delay, without the random addition."},
      {.path = ".backoff.random-factor",
       .type = Type::number,
       .min = 0,
       .max = 1,
       .default_value = "0.2",
       .doc = "The greatest random addition to a delay, as a share of the delay."},
      {.path = ".backoff.reset-after",
       .type = Type::duration,
       .min = 1,
       .range = "min to max",
       .example = "3 s",
       .doc = "After an actor has run for this long, its delays begin with min again. If not set: "
              "min."},
      {.path = ".backoff.capacity",
       .type = Type::integer,
       .min = 0,
       .max = capacity_max,
       .default_value = "1000",
       .doc = "Messages that may wait during the delay; further messages become dead letters."},
  };
  for (SettingKey& key : keys) {
    key.path.insert(0, "actord.user.*.supervisor-strategy");
    key.reload = Reload::live;
  }
  return keys;
}

}  // namespace actord::schema
