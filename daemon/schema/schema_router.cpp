// SPDX-License-Identifier: Apache-2.0
#include "schema/known_words.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

constexpr SettingKey router_rows[] = {
    {.path = "actord.user.*.router",
     .shown = Shown::separately,
     .reload = Reload::restart_actor,
     .doc = "Makes /user/NAME a router. pool: the actor exists `size` times, as /user/NAME/1, "
            "/user/NAME/2 and so on, and each message to /user/NAME goes to one of them or to all. "
            "The other keys of the node apply to these routees, except supervisor-strategy and "
            "lifetime: the router applies its strategy to failures of the routees; without one it "
            "escalates each failure, and its restart restarts them all. group: the messages go to "
            "actors of other nodes."},
    {.path = "actord.user.*.router.type",
     .type = Type::word,
     .words = names<router_type_words>,
     .default_value = "pool",
     .reload = Reload::restart_actor,
     .doc = "pool: the router has its routees as children. group: its routees are the actors at "
            "`paths`; those that are not there yet, or have stopped, are looked for each second."},
    {.path = "actord.user.*.router.logic",
     .type = Type::word,
     .words = names<router_logic_words>,
     .default_value = "round-robin",
     .reload = Reload::restart_actor,
     .doc = "Who gets a message. round-robin: the routees in turn. random: any of them. "
            "smallest-mailbox: an idle one, or else one for which the fewest messages wait. With "
            "these the sender of the message finds the routee, and the router costs nothing. "
            "balancing: one that has handled its last message, or has `credits` left; the others "
            "wait with the router. "
            "broadcast: all. scatter-gather-first: all, and the first answer counts. "
            "tail-chopping: one, and after each `interval` another one, until one answers. "
            "consistent-hashing: the same one for all messages with the same `hash-field`."},
    {.path = "actord.user.*.router.size",
     .type = Type::integer,
     .min = 1,
     .max = 10'000,
     .default_value = "1",
     .reload = Reload::live,
     .doc = "How many routees a pool has; with a resizer, how many it begins with. A reload adds "
            "routees, or lets the last ones stop when they have handled their messages."},
    {.path = "actord.user.*.router.credits",
     .type = Type::integer,
     .min = 1,
     .max = 10'000,
     .default_value = "1",
     .reload = Reload::restart_actor,
     .doc =
         "With balancing: how many messages a routee has at once. It handles one, and the others "
         "are there when it is done; more than 1 costs evenness, and saves waiting for the "
         "router."},
    {.path = "actord.user.*.router.paths",
     .type = Type::list,
     .range = "a list of paths",
     .example = "[\"/user/NAME\"]",
     .shown = Shown::as_alternative,
     .reload = Reload::restart_actor,
     .doc = "The routees of a group."},
    {.path = "actord.user.*.router.within",
     .type = Type::duration,
     .min = 1,
     .default_value = "5 s",
     .reload = Reload::restart_actor,
     .doc = "With scatter-gather-first and tail-chopping: an ask that no routee has answered by "
            "then fails with actord::AskTimeout."},
    {.path = "actord.user.*.router.interval",
     .type = Type::duration,
     .min = 1,
     .default_value = "10 ms",
     .reload = Reload::restart_actor,
     .doc = "With tail-chopping: how long the router waits for an answer before it tries the next "
            "routee, too."},
    {.path = "actord.user.*.router.hash-field",
     .type = Type::text,
     .range = "the name of a field",
     .example = "\"id\"",
     .reload = Reload::restart_actor,
     .doc = "With consistent-hashing: the field of the messages that is their key. A message "
            "without it becomes a dead letter."},
    {.path = "actord.user.*.router.points",
     .type = Type::integer,
     .min = 1,
     .max = 4096,
     .default_value = "16",
     .reload = Reload::restart_actor,
     .doc = "With consistent-hashing: the points that each routee has on the ring. The more, the "
            "more evenly the keys are spread."},
    {.path = "actord.user.*.router.resizer",
     .reload = Reload::restart_actor,
     .doc = "Lets the number of routees of a pool follow its load."},
    {.path = "actord.user.*.router.resizer.lower",
     .type = Type::integer,
     .min = 1,
     .max = 10'000,
     .default_value = "1",
     .reload = Reload::restart_actor,
     .doc = "The smallest number of routees."},
    {.path = "actord.user.*.router.resizer.upper",
     .type = Type::integer,
     .min = 1,
     .max = 10'000,
     .default_value = "10",
     .reload = Reload::restart_actor,
     .doc = "The greatest number of routees, at least lower."},
    {.path = "actord.user.*.router.resizer.pressure-threshold",
     .type = Type::integer,
     .min = 0,
     .max = 1'000'000,
     .default_value = "1",
     .reload = Reload::restart_actor,
     .doc = "When a routee is under pressure. 0: when it handles a message. 1: when another one "
            "waits meanwhile. N: when N wait."},
    {.path = "actord.user.*.router.resizer.rampup-rate",
     .type = Type::number,
     .min = 0,
     .max = 10,
     .default_value = "0.2",
     .reload = Reload::restart_actor,
     .doc = "By which share of its size the pool grows when all routees are under pressure."},
    {.path = "actord.user.*.router.resizer.backoff-threshold",
     .type = Type::number,
     .min = 0,
     .max = 1,
     .default_value = "0.3",
     .reload = Reload::restart_actor,
     .doc = "The pool shrinks when a smaller share of its routees is under pressure; 0: never."},
    {.path = "actord.user.*.router.resizer.backoff-rate",
     .type = Type::number,
     .min = 0,
     .max = 1,
     .default_value = "0.1",
     .reload = Reload::restart_actor,
     .doc = "By which share of its size the pool shrinks."},
    {.path = "actord.user.*.router.resizer.interval",
     .type = Type::duration,
     .min = 1'000'000,
     .default_value = "1 s",
     .reload = Reload::restart_actor,
     .doc = "The time between two looks at the routees."},
};

SettingKeys router_keys() { return router_rows; }

}  // namespace actord::schema
