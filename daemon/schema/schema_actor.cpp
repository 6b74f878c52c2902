// SPDX-License-Identifier: Apache-2.0
#include "schema/known_words.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

namespace {

constexpr std::int64_t millisecond = 1'000'000;
constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t day = 86'400 * second;

constexpr SettingKey debug_switch(std::string_view path, std::string_view doc) {
  return {.path = path,
          .type = Type::boolean,
          .default_value = "off",
          .reload = Reload::live,
          .doc = doc};
}

constexpr SettingKey stuck_timeout(std::string_view path, std::string_view default_value,
                                   std::string_view doc) {
  return {.path = path,
          .type = Type::duration,
          .words = off,
          .min = 100 * millisecond,
          .max = day,
          .range = "off | 100 ms to 1 day",
          .default_value = default_value,
          .reload = Reload::live,
          .doc = doc};
}

}  // namespace

constexpr SettingKey actor_rows[] = {
    {.path = "actord.actor"},
    {.path = "actord.actor.guardian-supervisor-strategy",
     .words = built_in_strategies,
     .form = guardian_strategy_form,
     .range = "default | stopping | \"plugin/Configurator\" | a block as in "
              "user.NAME.supervisor-strategy",
     .example = "default",
     .members_of = "actord.user.*.supervisor-strategy",
     .reload = Reload::live,
     .doc = "The strategy that /user applies to failures of the actors in actord.user. If not "
            "set: default. Also read as akka.actor.guardian-supervisor-strategy or "
            "pekko.actor.guardian-supervisor-strategy, with the class names of these systems, "
            "such as akka.actor.StoppingSupervisorStrategy; only one of the three may be set."},

    {.path = "actord.actor.default-dispatcher",
     .doc = "Runs all actors that have no other dispatcher."},
    {.path = "actord.actor.default-dispatcher.workers",
     .type = Type::integer,
     .words = names<workers_words>,
     .min = 1,
     .max = 64,
     .default_value = "auto",
     .doc = "Number of threads. auto: one for each CPU that this process may use, by its CPU "
            "affinity and by the CPU quota of its control groups."},
    {.path = "actord.actor.default-dispatcher.throughput",
     .type = Type::integer,
     .min = 1,
     .max = 10'000,
     .default_value = "64",
     .doc = "Messages that an actor handles before it checks the clock. A higher number improves "
            "throughput, a lower one fairness."},
    {.path = "actord.actor.default-dispatcher.throughput-deadline",
     .type = Type::duration,
     .min = 0,
     .max = second,
     .default_value = "20 us",
     .doc = "How long an actor with messages keeps running while other actors wait. 0: it "
            "handles `throughput` messages and no more."},
    stuck_timeout("actord.actor.default-dispatcher.stuck-timeout", "1 s",
                  "How long a handler or a hook may run before actor.stuck is logged, with the "
                  "stack of its thread. actord looks four times a second while actors run. off: "
                  "it is not logged."),

    {.path = "actord.actor.blocking-io-dispatcher",
     .doc = "The dispatcher blocking-io, for actors that wait for the network or the disk. Each "
            "actor that has messages runs on a thread of its own."},
    {.path = "actord.actor.blocking-io-dispatcher.threads-max",
     .type = Type::integer,
     .min = 1,
     .max = 4096,
     .default_value = "64",
     .doc = "Maximum number of threads; further actors wait for a free thread."},
    {.path = "actord.actor.blocking-io-dispatcher.keep-alive",
     .type = Type::duration,
     .min = millisecond,
     .max = day,
     .default_value = "10 s",
     .doc = "How long an idle thread is kept."},
    stuck_timeout("actord.actor.blocking-io-dispatcher.stuck-timeout", "30 s",
                  "As in default-dispatcher, for actors on blocking-io. Also, while actors wait "
                  "for a free thread: how long no thread may become free before "
                  "dispatcher.starved is logged."),

    {.path = "actord.actor.pinned-dispatcher",
     .doc =
         "The dispatcher pinned, which gives each actor a thread of its own for its whole life."},
    stuck_timeout("actord.actor.pinned-dispatcher.stuck-timeout", "30 s",
                  "As in default-dispatcher, for actors on pinned."),

    {.path = "actord.actor.default-mailbox",
     .doc =
         "The default for all actors; an actor's node, a deployment pattern and the actor's code "
         "override it."},
    {.path = "actord.actor.default-mailbox.stash-capacity",
     .type = Type::integer,
     .words = names<capacity_words>,
     .min = 1,
     .max = capacity_max,
     .default_value = "unlimited",
     .reload = Reload::live,
     .doc = "Messages that an actor may stash; one more makes it fail with actord::StashOverflow."},
    capacity("actord.actor.default-mailbox.capacity", Reload::new_actors,
             "Messages that may wait for an actor below /user; `overflow` says what becomes of "
             "further ones."),
    mailbox_overflow("actord.actor.default-mailbox.overflow", Reload::new_actors,
                     "With a capacity: what becomes of a message for which a mailbox has no room, "
                     "as in user.NAME.mailbox.overflow. If not set: drop-new."),
    mailbox_push_timeout("actord.actor.default-mailbox.push-timeout", Reload::new_actors,
                         "With overflow = wait: how long an actor waits at most for room in a "
                         "mailbox. If not set: 10 s."),
    mailbox_priority("actord.actor.default-mailbox.priority", Reload::new_actors,
                     "Types of messages, the most urgent first, as in user.NAME.mailbox.priority. "
                     "If not set: messages are taken as they came."),
    mailbox_control("actord.actor.default-mailbox.control", Reload::new_actors,
                    "Types of control messages, which are taken before all others, as in "
                    "user.NAME.mailbox.control. If not set: there are none."),

    {.path = "actord.actor.restart-storm",
     .words = off,
     .range = "off | a block",
     .reload = Reload::live,
     .doc = "Delays the restarts of an actor that is restarted again and again under a strategy "
            "with neither max-restarts, within nor backoff, and creations that fail again after "
            "each resume. Its messages wait. off: these are never delayed."},
    {.path = "actord.actor.restart-storm.threshold",
     .type = Type::integer,
     .min = 1,
     .max = 1'000'000,
     .default_value = "100",
     .reload = Reload::live,
     .doc = "Restarts within `within` that are not delayed."},
    {.path = "actord.actor.restart-storm.within",
     .type = Type::duration,
     .min = millisecond,
     .max = day,
     .default_value = "10 s",
     .reload = Reload::live,
     .doc = "The window begins with the first restart in it."},
    {.path = "actord.actor.restart-storm.delay",
     .reload = Reload::live,
     .doc = "The delay of each further restart. It doubles from min to max until the actor has "
            "lived for max without a failure."},
    {.path = "actord.actor.restart-storm.delay.min",
     .type = Type::duration,
     .min = millisecond,
     .max = day,
     .default_value = "10 ms",
     .reload = Reload::live,
     .doc = "The first delay."},
    {.path = "actord.actor.restart-storm.delay.max",
     .type = Type::duration,
     .min = millisecond,
     .max = day,
     .default_value = "5 s",
     .reload = Reload::live,
     .doc = "The longest delay. If it is shorter than min, all delays are this long."},

    {.path = "actord.actor.ask-fails-with-handler",
     .type = Type::boolean,
     .default_value = "on",
     .reload = Reload::live,
     .doc = "Whether a question (an ask) fails as soon as the actor fails on it, with the failure "
            "as its answer; else the one that asks waits for the timeout. It waits for that "
            "anyway if somebody can still answer: the actor has forwarded or stashed the message, "
            "has read its sender, or gets the message again (on-failure). An actor's node and a "
            "deployment pattern override it."},
    {.path = "actord.actor.message-memory-max",
     .type = Type::size,
     .words = names<memory_words>,
     .min = message_memory_min,
     .default_value = "auto",
     .reload = Reload::live,
     .doc = "Limit on the memory of waiting messages: 32 or 64 bytes each; memory that a message "
            "allocates itself does not count. At the limit no more messages from outside are "
            "accepted: System::try_tell, which threads of plugins use, returns false, and a "
            "plugin can make its own clients wait. Messages from actors are always accepted. "
            "auto: an eighth of the memory that this process may use, by its control groups or "
            "by the memory of the machine. The event mailbox.highwater tells when a quarter, half "
            "and all of it are in use, and which actors they wait for."},

    {.path = "actord.actor.debug",
     .doc = "Log lines about what actors do, at level debug; they are written only if log.level "
            "is debug."},
    debug_switch("actord.actor.debug.receive", "Every message that an actor handles."),
    debug_switch("actord.actor.debug.autoreceive",
                 "Messages that the system handles itself, such as PoisonPill and Identify."),
    debug_switch("actord.actor.debug.lifecycle",
                 "A line actor.lifecycle for each start, restart and stop, for each child that is "
                 "supervised, and for each actor that is watched. It does not change actor.started "
                 "and actor.stopped: those of configured actors have the level info, those of "
                 "actors that code creates the level debug, and a stop by a failure has the level "
                 "error, or info if another actor has failed."),
    debug_switch("actord.actor.debug.unhandled", "Every unhandled message."),
    debug_switch("actord.actor.debug.event-stream", "Subscriptions to the event stream."),
};

SettingKeys actor_keys() { return actor_rows; }

constexpr SettingKey deployment_rows[] = {
    {.path = "actord.actor.deployment",
     .type = Type::names,
     .name = "\"PATTERN\"",
     .reload = Reload::new_actors,
     .doc = "Settings for actors by path, also for actors that other actors create. In a pattern "
            "* stands for any part of a name, ? for one character, and ** at its end for one or "
            "more names: \"/user/crawler/*\", \"/user/fetcher-?\", \"/user/ingest/**\". If several "
            "patterns match a path, only the most specific one applies: the one with the most "
            "names written out, then the one with the most names in part, then the one with the "
            "most *, then the one without **. Two equally specific patterns are an error. The "
            "values in an actor's own node in actord.user have priority. There may be 1000 "
            "patterns."},
    {.path = "actord.actor.deployment.*", .reload = Reload::new_actors},
    {.path = "actord.actor.deployment.*.dispatcher",
     .type = Type::word,
     .words = names<dispatcher_words>,
     .example = "default",
     .reload = Reload::new_actors,
     .doc = "The dispatcher that runs the actor. pinned: a thread of its own for its whole life, "
            "for actors that use thread-bound resources or must not wait for others. If not set: "
            "the dispatcher that the code chooses when it creates the actor, else default."},
    {.path = "actord.actor.deployment.*.mailbox", .reload = Reload::new_actors},
    capacity("actord.actor.deployment.*.mailbox.capacity", Reload::new_actors,
             "Messages that may wait; `overflow` says what becomes of further ones."),
    mailbox_overflow(
        "actord.actor.deployment.*.mailbox.overflow", Reload::new_actors,
        "With a capacity: what becomes of a message for which the mailbox has no room, "
        "as in user.NAME.mailbox.overflow. If not set: the value of default-mailbox, else "
        "drop-new."),
    mailbox_push_timeout("actord.actor.deployment.*.mailbox.push-timeout", Reload::new_actors,
                         "With overflow = wait: how long an actor waits at most for room in the "
                         "mailbox. If not set: 10 s."),
    mailbox_priority("actord.actor.deployment.*.mailbox.priority", Reload::new_actors,
                     "Types of messages, the most urgent first, as in user.NAME.mailbox.priority. "
                     "If not set: messages are taken as they came."),
    mailbox_control("actord.actor.deployment.*.mailbox.control", Reload::new_actors,
                    "Types of control messages, which are taken before all others, as in "
                    "user.NAME.mailbox.control. If not set: there are none."),
    capacity("actord.actor.deployment.*.stash-capacity", Reload::live,
             "Messages that the actor may stash. If not set: the value of its code, else that of "
             "default-mailbox."),
    ask_fails_with_handler("actord.actor.deployment.*.ask-fails-with-handler",
                           "Whether a question fails with the handler that fails, as in "
                           "user.NAME.ask-fails-with-handler. If not set: the value of "
                           "actor.ask-fails-with-handler."),
    {.path = "actord.actor.deployment.*.on-failure", .reload = Reload::live},
    failed_message("actord.actor.deployment.*.on-failure.message",
                   "What becomes of a message on which the actor fails, as in "
                   "user.NAME.on-failure.message. If not set: drop."),
    failed_message_attempts("actord.actor.deployment.*.on-failure.max-attempts"),
    {.path = "actord.actor.deployment.*.isolation",
     .type = Type::word,
     .words = names<isolation_words>,
     .example = "process",
     .reload = Reload::new_actors,
     .doc = "Where the instances of the actors live, as in user.NAME.isolation. If not set: the "
            "value of plugins.isolation, else thread."},
    {.path = "actord.actor.deployment.*.worker", .reload = Reload::new_actors},
    worker_group("actord.actor.deployment.*.worker.group", Reload::new_actors,
                 "Which isolated actors share a host process, as in user.NAME.worker.group. If not "
                 "set: worker.group."),
    {.path = "actord.actor.deployment.*.router",
     .reload = Reload::new_actors,
     .doc =
         "For the pools of routees that code creates. It changes no actor that is no router, and "
         "none with a node of its own, which has a router of its own."},
    {.path = "actord.actor.deployment.*.router.size",
     .type = Type::integer,
     .min = 1,
     .max = 10'000,
     .example = "8",
     .reload = Reload::live,
     .doc = "How many routees a pool has; with a resizer, how many it begins with. A reload adds "
            "routees, or lets the last ones stop when they have handled their messages. If not "
            "set: as many as the code says."},
    {.path = "actord.actor.deployment.*.router.logic",
     .type = Type::word,
     .words = names<balancer_logic_words>,
     .example = "balancing",
     .reload = Reload::new_actors,
     .doc = "Which routee gets a message, as in user.NAME.router.logic. If not set: what the code "
            "says."},
    {.path = "actord.actor.deployment.*.router.resizer",
     .members_of = "actord.user.*.router.resizer",
     .reload = Reload::new_actors,
     .doc = "Lets the number of routees of a pool follow its load, as in user.NAME.router.resizer. "
            "A reload changes no pool that there is. If not set: as the code says."},
    {.path = "actord.actor.deployment.*.supervisor-strategy",
     .words = built_in_strategies,
     .form = strategy_class_form,
     .range = "default | stopping | a block as in user.NAME.supervisor-strategy",
     .example = "default",
     .members_of = "actord.user.*.supervisor-strategy",
     .reload = Reload::live,
     .doc = "The strategy that the actor applies to failures of its children. If not set: the "
            "strategy of its code, else default."},
};

SettingKeys deployment_keys() { return deployment_rows; }

}  // namespace actord::schema
