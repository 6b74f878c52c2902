// SPDX-License-Identifier: Apache-2.0
#include "settings/known_words.hpp"
#include "settings/schema_sections.hpp"

namespace actord::settings {

SettingKeys strategy_keys() {
  SettingKeys keys = {
      {.path = ".type",
       .type = Type::word,
       .words = names_of(strategy_kind_words),
       .standard = "one-for-one",
       .doc = "Whom a decision is for: the child that failed, or all children."},
      {.path = ".max-restarts",
       .type = Type::integer,
       .words = names_of(max_restarts_words),
       .standard = "unlimited",
       .example = "10",
       .doc =
           "Restarts of a child before it is stopped instead. A negative number is taken as Akka "
           "does, with a warning: unlimited, or beside within one restart."},
      {.path = ".within",
       .type = Type::duration,
       .words = {"infinite"},
       .least = 1,
       .standard = "infinite",
       .example = "1 minute",
       .doc = "The time in which max-restarts is counted, from the first failure on. Needs "
              "max-restarts; beside unlimited it limits nothing, and a warning says so."},

      {.path = ".decider",
       .type = Type::names,
       .name = "\"TYPE\"",
       .doc = "Which failure has which consequence, by type; base classes count, and the most "
              "derived type that has a rule wins. Without a decider the default one holds."},
      {.path = ".decider.*",
       .words = names_of(directive_words),
       .range = "resume | restart | stop | escalate | { directive = ..., log-level = error | "
                "warning | info | debug }",
       .example = "{ directive = restart, log-level = warning }",
       .doc = "A type in quotes, and what to do; with a block also the level of the log line."},
      {.path = ".decider.*.directive",
       .type = Type::word,
       .words = names_of(directive_words),
       .is_needed = true,
       .example = "restart",
       .shown = Shown::within,
       .doc = "What to do."},
      {.path = ".decider.*.log-level",
       .type = Type::word,
       .words = names_of(rule_level_words),
       .example = "warning",
       .shown = Shown::within,
       .doc = "The level of the log line. Without it warning for resume, else error."},
      {.path = ".decider.default",
       .type = Type::word,
       .words = names_of(otherwise_words),
       .standard = "escalate",
       .doc = "For types without a rule. code: the behaviour's own decision. default-decider: what "
              "holds without a decider."},

      {.path = ".logging-enabled",
       .type = Type::boolean,
       .standard = "on",
       .doc = "Whether failures that are decided here are logged."},

      {.path = ".backoff",
       .doc = "Makes each restart wait, twice as long as the one before: min, 2 min, 4 min, ... at "
              "most max. The actor keeps its place and its messages meanwhile."},
      {.path = ".backoff.min",
       .type = Type::duration,
       .least = 1,
       .is_needed = true,
       .example = "3 s",
       .doc = "The first delay."},
      {.path = ".backoff.max",
       .type = Type::duration,
       .least = 1,
       .is_needed = true,
       .range = "a duration of at least min",
       .example = "30 s",
       .doc = "The longest delay, before chance."},
      {.path = ".backoff.random-factor",
       .type = Type::number,
       .least = 0,
       .most = 1,
       .standard = "0.2",
       .doc = "Up to this share is added to a delay by chance."},
      {.path = ".backoff.reset-after",
       .type = Type::duration,
       .least = 1,
       .range = "min to max",
       .example = "3 s",
       .doc = "An actor that lived this long begins with min again. Without it as long as min."},
      {.path = ".backoff.capacity",
       .type = Type::integer,
       .least = 0,
       .most = capacity_most,
       .standard = "1000",
       .doc = "Messages that may wait meanwhile; more become dead letters."},
  };
  for (SettingKey& key : keys) {
    key.path.insert(0, "actord.user.*.supervisor-strategy");
    key.reload = Reload::live;
  }
  return keys;
}

}  // namespace actord::settings
