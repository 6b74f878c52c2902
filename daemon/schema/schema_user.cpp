// SPDX-License-Identifier: Apache-2.0
#include "schema/known_words.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

constexpr SettingKey user_rows[] = {
    {.path = "actord.user",
     .type = Type::names,
     .name = "NAME",
     .reload = Reload::live,
     .doc = "The actors below /user by name. They start in this order, each after the one before "
            "it has started, or after the first decision about its failure."},
    {.path = "actord.user.*", .reload = Reload::live},
    {.path = "actord.user.*.behaviour",
     .type = Type::text,
     .form = plugin_part_form,
     .range = "\"plugin/Behaviour\"",
     .example = "\"plugin/Behaviour\"",
     .reload = Reload::restart_actor,
     .doc = "The behaviour of the actor, and the plugin that it comes from. If not set, the "
            "actor only supervises its children."},
    {.path = "actord.user.*.config",
     .type = Type::object,
     .example = "{}",
     .reload = Reload::restart_actor,
     .doc = "The configuration of the behaviour; its plugin documents the keys. An unknown key "
            "is an error."},
    {.path = "actord.user.*.dispatcher",
     .type = Type::word,
     .words = names<dispatcher_words>,
     .example = "default",
     .reload = Reload::restart_actor,
     .doc = "The dispatcher that runs the actor; see deployment. If not set: the value of a "
            "deployment pattern, else default."},
    {.path = "actord.user.*.mailbox", .reload = Reload::restart_actor},
    capacity(
        "actord.user.*.mailbox.capacity", Reload::restart_actor,
        "Messages that may wait; `overflow` says what becomes of further ones. If not set: the "
        "value of a deployment pattern, else of default-mailbox, else unlimited."),
    mailbox_overflow(
        "actord.user.*.mailbox.overflow", Reload::restart_actor,
        "With a capacity: what becomes of a message for which the mailbox has no room. drop-new: "
        "it becomes a dead letter. drop-old: the oldest message that waits becomes one instead. "
        "fail-sender: it becomes a dead letter, and the handler that has sent it fails with "
        "actord::MailboxFull when it returns; who sends from outside gets an error. wait: it is "
        "taken, and the actor that has sent it handles no further message until half of the "
        "mailbox is free. With drop-old and wait up to twice as many messages as the capacity may "
        "lie in the mailbox for a moment; further ones become dead letters. An ask for which "
        "there is no room fails at once. If not set: the value of a deployment pattern, else "
        "of default-mailbox, else drop-new."),
    mailbox_push_timeout(
        "actord.user.*.mailbox.push-timeout", Reload::restart_actor,
        "With overflow = wait: how long an actor waits at most for room in this mailbox. If not "
        "set: the value of a deployment pattern, else 10 s."),
    mailbox_priority(
        "actord.user.*.mailbox.priority", Reload::restart_actor,
        "Types of messages, the most urgent first: the actor takes the messages that wait in this "
        "order, and those of one type as they came. \"*\" stands for all types that are not "
        "named; without it they come last. If not set: the value of a deployment pattern, else "
        "messages are taken as they came."),
    mailbox_control(
        "actord.user.*.mailbox.control", Reload::restart_actor,
        "Types of control messages: the actor takes these before all others. Those that their "
        "plugin declares as control messages (ACTORD_CONTROL) are control messages, too; with an "
        "empty list only these. If not set: the value of a deployment pattern, else there are no "
        "control messages."),
    capacity("actord.user.*.stash-capacity", Reload::live,
             "Messages that the actor may stash; one more makes it fail with "
             "actord::StashOverflow. If not set: the value of a deployment pattern, else of its "
             "code, else of default-mailbox."),
    ask_fails_with_handler("actord.user.*.ask-fails-with-handler",
                           "Whether a question fails as soon as the actor fails on it, with the "
                           "failure as its answer, unless somebody can still answer it. If not "
                           "set: the value of a deployment pattern, else of "
                           "actor.ask-fails-with-handler."),
    {.path = "actord.user.*.on-failure", .reload = Reload::live},
    failed_message(
        "actord.user.*.on-failure.message",
        "What becomes of a message on which the actor fails. drop: it is gone, as in Akka. "
        "redeliver: once its supervisor has restarted or resumed the actor, the actor gets it "
        "again, before all messages that wait; after max-attempts failures it goes into the "
        "quarantine, where actorctl quarantine shows it and sends it again. A message that failed "
        "while it was an answer to an ask, or is one of actord's own, is not given again. If not "
        "set: the value of a deployment pattern, else drop."),
    failed_message_attempts("actord.user.*.on-failure.max-attempts"),
    {.path = "actord.user.*.isolation",
     .type = Type::word,
     .words = names<isolation_words>,
     .example = "process",
     .reload = Reload::restart_actor,
     .doc = "Where the instance of the actor lives. thread: in actord itself; if its code crashes, "
            "so does actord. process: in a host process; a crash, an exit or a hang of its code is "
            "a failure of this actor, such as actord::crash::SIGSEGV, and its supervisor decides. "
            "auto: in actord until its plugin has crashed it, then in a host process until the "
            "plugin's file is another build. If not set: the value of a deployment pattern, else "
            "of plugins.isolation, else thread."},
    {.path = "actord.user.*.worker", .reload = Reload::restart_actor},
    worker_group("actord.user.*.worker.group", Reload::restart_actor,
                 "With isolation: which actors of the plugin share a host process, and its crash. "
                 "per-plugin: all. per-actor: none. shared:NAME: those with the same NAME. If not "
                 "set: the value of a deployment pattern, else of worker.group."),
    {.path = "actord.user.*.supervisor-strategy",
     .words = built_in_strategies,
     .form = strategy_class_form,
     .range = "default | stopping | a block",
     .reload = Reload::live,
     .doc = "The strategy that the actor applies to failures of its children. If not set: the "
            "strategy of a deployment pattern, else of its code, else default. default: restart "
            "without limit; stop an actor that could not be created, was killed or lost an actor "
            "that it watches; escalate what is not derived from std::exception. stopping: stop "
            "on any std::exception."},
    {.path = "actord.user.*.lifetime",
     .type = Type::word,
     .words = names<lifetime_words>,
     .default_value = "transient",
     .reload = Reload::live,
     .doc = "Whether the actor may end. transient: it is lost only if it stops because of a "
            "failure. permanent: it is lost if it stops for any reason but a reload or the end of "
            "its parent. on-actor-lost says what follows; actorctl start and a reload start it "
            "again."},
    {.path = "actord.user.*.children",
     .type = Type::names,
     .example = "{}",
     .members_of = "actord.user",
     .reload = Reload::live,
     .doc = "The actors below this one by name, each as described here."},
};

SettingKeys user_keys() { return user_rows; }

constexpr std::array<std::string_view, 1> dead_letter = {"dead-letter"};

constexpr SettingKey backoff_supervisor_rows[] = {
    {.path = "actord.user.*.backoff-supervisor",
     .shown = Shown::separately,
     .reload = Reload::restart_actor,
     .doc = "Puts a back-off supervisor in front of the actor. It starts the actor again after "
            "growing delays and forwards messages to it. /user/NAME is then the supervisor, and "
            "/user/NAME/NAME the actor. The other keys of the node apply to the actor, except "
            "supervisor-strategy: the supervisor applies it to failures of the actor. After a "
            "delay a new actor is created, and messages that the old one had not handled are "
            "lost; to keep address and messages use supervisor-strategy.backoff instead."},
    {.path = "actord.user.*.backoff-supervisor.mode",
     .type = Type::word,
     .words = names<backoff_mode_words>,
     .is_needed = true,
     .example = "on-stop",
     .reload = Reload::restart_actor,
     .doc = "on-stop: the supervisor starts the actor again whenever it has stopped. If the "
            "strategy decides restart, the actor is restarted at once; set supervisor-strategy = "
            "stopping to delay after failures too. on-failure: the supervisor starts the actor "
            "again when it has failed and the strategy decides restart; when the actor stops "
            "otherwise, the supervisor stops too."},
    {.path = "actord.user.*.backoff-supervisor.min",
     .type = Type::duration,
     .min = 1,
     .is_needed = true,
     .example = "3 s",
     .reload = Reload::restart_actor,
     .doc = "The first delay; each delay is twice as long as the one before, at most max."},
    {.path = "actord.user.*.backoff-supervisor.max",
     .type = Type::duration,
     .min = 1,
     .is_needed = true,
     .range = "a duration of at least min",
     .example = "30 s",
     .reload = Reload::restart_actor,
     .doc = "The longest delay, without the random addition."},
    {.path = "actord.user.*.backoff-supervisor.random-factor",
     .type = Type::number,
     .min = 0,
     .max = 1,
     .default_value = "0.2",
     .reload = Reload::restart_actor,
     .doc = "The greatest random addition to a delay, as a share of the delay."},
    {.path = "actord.user.*.backoff-supervisor.reset",
     .type = Type::word,
     .words = names<backoff_reset_words>,
     .default_value = "auto",
     .reload = Reload::restart_actor,
     .doc = "When delays begin with min again. auto: when the actor has run for reset-after "
            "without a further delayed start. manual: when the supervisor receives an "
            "actord.Reset/1."},
    {.path = "actord.user.*.backoff-supervisor.reset-after",
     .type = Type::duration,
     .min = 1,
     .range = "min to max",
     .example = "3 s",
     .reload = Reload::restart_actor,
     .doc =
         "With reset = auto: how long the actor must run before its delays begin with min again. "
         "If not set: min."},
    {.path = "actord.user.*.backoff-supervisor.max-restarts",
     .type = Type::integer,
     .words = names<max_restarts_words>,
     .example = "unlimited",
     .reload = Reload::live,
     .doc = "Delayed starts that are allowed since the last reset; instead of a further one the "
            "supervisor stops. It is the max-restarts of supervisor-strategy, with the same "
            "values; only one of the two keys may be set."},
    {.path = "actord.user.*.backoff-supervisor.while-down",
     .words = dead_letter,
     .range = "dead-letter | a block with reply or forward",
     .reload = Reload::restart_actor,
     .doc = "What happens to messages while the actor is down. If not set, or with the word "
            "dead-letter, they become dead letters."},
    {.path = "actord.user.*.backoff-supervisor.while-down.reply",
     .type = Type::text,
     .range = "\"plugin.Message/1\"",
     .example = "\"plugin.Message/1\"",
     .reload = Reload::restart_actor,
     .doc = "The name of the message that is sent as the reply to each message that arrives while "
            "the actor is down."},
    {.path = "actord.user.*.backoff-supervisor.while-down.with",
     .type = Type::object,
     .example = "{}",
     .reload = Reload::restart_actor,
     .doc = "The fields of the message in `reply`; absent fields have their defaults."},
    {.path = "actord.user.*.backoff-supervisor.while-down.forward",
     .type = Type::text,
     .form = "^/",
     .range = "the path of an actor",
     .example = "\"/user/NAME\"",
     .shown = Shown::as_alternative,
     .reload = Reload::restart_actor,
     .doc = "Instead of `reply`: the actor that the messages are forwarded to, with their original "
            "senders."},
    {.path = "actord.user.*.backoff-supervisor.final-stop",
     .type = Type::list,
     .range = "a list of names of messages",
     .example = "[\"plugin.Message/1\"]",
     .reload = Reload::restart_actor,
     .doc = "Names of messages. After one of them the supervisor stops when the actor stops, or "
            "at once if the actor is down. Only with on-stop."},
};

SettingKeys backoff_supervisor_keys() { return backoff_supervisor_rows; }

}  // namespace actord::schema
