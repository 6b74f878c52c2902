// SPDX-License-Identifier: Apache-2.0
#include "schema/known_words.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

constexpr SettingKey strategy_rows[] = {
    {.path = "actord.user.*.supervisor-strategy.type",
     .type = Type::word,
     .words = names<strategy_kind_words>,
     .default_value = "one-for-one",
     .reload = Reload::live,
     .doc = "Which children a decision applies to: the child that failed (one-for-one), or all "
            "children (all-for-one)."},
    {.path = "actord.user.*.supervisor-strategy.max-restarts",
     .type = Type::integer,
     .words = names<max_restarts_words>,
     .default_value = "unlimited",
     .example = "10",
     .reload = Reload::live,
     .doc = "Restarts of a child that are allowed; at a further failure it is stopped. A "
            "negative number gets a warning and means what it means in Akka: unlimited, or with "
            "`within` one restart."},
    {.path = "actord.user.*.supervisor-strategy.within",
     .type = Type::duration,
     .words = infinite,
     .min = 1,
     .default_value = "infinite",
     .example = "1 minute",
     .reload = Reload::live,
     .doc =
         "The time window in which restarts are counted; it begins with the first failure. Needs "
         "max-restarts; with max-restarts = unlimited it has no effect, and a warning says so."},

    {.path = "actord.user.*.supervisor-strategy.decider",
     .type = Type::names,
     .name = "\"TYPE\"",
     .reload = Reload::live,
     .doc = "The directive for each type of failure. A rule for a base class applies too; the "
            "rule for the most derived type wins. If not set: the default decider. A check warns "
            "of a type that is probably misspelt; actorctl config explain lists the known ones."},
    {.path = "actord.user.*.supervisor-strategy.decider.*",
     .words = names<directive_words>,
     .range = "resume | restart | stop | escalate | { directive = ..., log-level = error | "
              "warning | info | debug }",
     .example = "{ directive = restart, log-level = warning }",
     .reload = Reload::live,
     .doc = "A type of failure in quotes, and its directive; a block also sets the level of the "
            "log line."},
    {.path = "actord.user.*.supervisor-strategy.decider.*.directive",
     .type = Type::word,
     .words = names<directive_words>,
     .is_needed = true,
     .example = "restart",
     .shown = Shown::in_example,
     .reload = Reload::live,
     .doc = "The directive."},
    {.path = "actord.user.*.supervisor-strategy.decider.*.log-level",
     .type = Type::word,
     .words = names<rule_level_words>,
     .example = "warning",
     .shown = Shown::in_example,
     .reload = Reload::live,
     .doc = "The level of the log line. If not set: warning for resume, else error."},
    {.path = "actord.user.*.supervisor-strategy.decider.default",
     .type = Type::word,
     .words = names<otherwise_words>,
     .default_value = "escalate",
     .reload = Reload::live,
     .doc = "The directive for types without a rule. code: the behaviour's own decision. "
            "default-decider: the decision of the default decider."},

    {.path = "actord.user.*.supervisor-strategy.logging-enabled",
     .type = Type::boolean,
     .default_value = "on",
     .reload = Reload::live,
     .doc = "Whether failures that this strategy decides are logged."},

    {.path = "actord.user.*.supervisor-strategy.backoff",
     .reload = Reload::live,
     .doc = "Delays each restart; each delay is twice as long as the one before: min, 2 min, 4 "
            "min, ... at most max. Meanwhile the actor keeps its address and its messages."},
    {.path = "actord.user.*.supervisor-strategy.backoff.min",
     .type = Type::duration,
     .min = 1,
     .is_needed = true,
     .example = "3 s",
     .reload = Reload::live,
     .doc = "The first delay."},
    {.path = "actord.user.*.supervisor-strategy.backoff.max",
     .type = Type::duration,
     .min = 1,
     .is_needed = true,
     .range = "a duration of at least min",
     .example = "30 s",
     .reload = Reload::live,
     .doc = "The longest delay, without the random addition."},
    {.path = "actord.user.*.supervisor-strategy.backoff.random-factor",
     .type = Type::number,
     .min = 0,
     .max = 1,
     .default_value = "0.2",
     .reload = Reload::live,
     .doc = "The greatest random addition to a delay, as a share of the delay."},
    {.path = "actord.user.*.supervisor-strategy.backoff.reset-after",
     .type = Type::duration,
     .min = 1,
     .range = "min to max",
     .example = "3 s",
     .reload = Reload::live,
     .doc = "After an actor has run for this long, its delays begin with min again. If not set: "
            "min."},
    {.path = "actord.user.*.supervisor-strategy.backoff.capacity",
     .type = Type::integer,
     .min = 0,
     .max = capacity_max,
     .default_value = "1000",
     .reload = Reload::live,
     .doc = "Messages that may wait during the delay; further messages become dead letters."},
};

SettingKeys strategy_keys() { return strategy_rows; }

}  // namespace actord::schema
