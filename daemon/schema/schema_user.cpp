// SPDX-License-Identifier: Apache-2.0
#include "schema/known_words.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

SettingKeys user_keys() {
  return {
      {.path = "actord.user",
       .type = Type::names,
       .name = "NAME",
       .reload = Reload::live,
       .doc = "The actors below /user by name. They start in this order, each after the one before "
              "it has started."},
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
       .words = names_of(dispatcher_words),
       .example = "default",
       .reload = Reload::restart_actor,
       .doc = "The dispatcher that runs the actor; see deployment. If not set: the value of a "
              "deployment pattern, else default."},
      {.path = "actord.user.*.mailbox", .reload = Reload::restart_actor},
      {.path = "actord.user.*.mailbox.capacity",
       .type = Type::integer,
       .words = names_of(capacity_words),
       .min = 1,
       .max = capacity_max,
       .example = "unlimited",
       .reload = Reload::restart_actor,
       .doc = "Messages that may wait; further messages become dead letters. If not set: the value "
              "of a deployment pattern, else unlimited."},
      {.path = "actord.user.*.stash-capacity",
       .type = Type::integer,
       .words = names_of(capacity_words),
       .min = 1,
       .max = capacity_max,
       .example = "unlimited",
       .reload = Reload::live,
       .doc = "Messages that the actor may stash; one more makes it fail with "
              "actord::StashOverflow. If not set: the value of a deployment pattern, else of its "
              "code, else of default-mailbox."},
      {.path = "actord.user.*.supervisor-strategy",
       .words = {"default", "stopping"},
       .form = strategy_class_form,
       .range = "default | stopping | a block",
       .reload = Reload::live,
       .doc = "The strategy that the actor applies to failures of its children. If not set: the "
              "strategy of a deployment pattern, else of its code, else default. default: restart "
              "without limit; stop an actor that could not be created, was killed or lost an actor "
              "that it watches; escalate what is not derived from std::exception. stopping: stop "
              "on any std::exception."},
      {.path = "actord.user.*.children",
       .type = Type::names,
       .example = "{}",
       .members_of = "actord.user",
       .reload = Reload::live,
       .doc = "The actors below this one by name, each as described here."},
  };
}

SettingKeys backoff_supervisor_keys() {
  SettingKeys keys = {
      {.path = "",
       .shown = Shown::separately,
       .doc = "Puts a back-off supervisor in front of the actor. It starts the actor again after "
              "growing delays and forwards messages to it. /user/NAME is then the supervisor, and "
              "/user/NAME/NAME the actor. The other keys of the node apply to the actor, except "
              "supervisor-strategy: the supervisor applies it to failures of the actor. After a "
              "delay a new actor is created, and messages that the old one had not handled are "
              "lost; to keep address and messages use supervisor-strategy.backoff instead."},
      {.path = ".mode",
       .type = Type::word,
       .words = names_of(backoff_mode_words),
       .is_needed = true,
       .example = "on-stop",
       .doc = "on-stop: the supervisor starts the actor again whenever it has stopped. If the "
              "strategy decides restart, the actor is restarted at once; set supervisor-strategy = "
              "stopping to delay after failures too. on-failure: the supervisor starts the actor "
              "again when it has failed and the strategy decides restart; when the actor stops "
              "otherwise, the supervisor stops too."},
      {.path = ".min",
       .type = Type::duration,
       .min = 1,
       .is_needed = true,
       .example = "3 s",
       .doc = "The first delay; each delay is twice as long as the one before, at most max."},
      {.path = ".max",
       .type = Type::duration,
       .min = 1,
       .is_needed = true,
       .range = "a duration of at least min",
       .example = "30 s",
       .doc = "The longest delay, without the random addition."},
      {.path = ".random-factor",
       .type = Type::number,
       .min = 0,
       .max = 1,
       .default_value = "0.2",
       .doc = "The greatest random addition to a delay, as a share of the delay."},
      {.path = ".reset",
       .type = Type::word,
       .words = names_of(backoff_reset_words),
       .default_value = "auto",
       .doc = "When delays begin with min again. auto: when the actor has run for reset-after "
              "without a further delayed start. manual: when the supervisor receives an "
              "actord.Reset/1."},
      {.path = ".reset-after",
       .type = Type::duration,
       .min = 1,
       .range = "min to max",
       .example = "3 s",
       .doc =
           "With reset = auto: how long the actor must run before its delays begin with min again. "
           "If not set: min."},
      {.path = ".max-restarts",
       .type = Type::integer,
       .words = names_of(max_restarts_words),
       .example = "unlimited",
       .doc = "Delayed starts that are allowed since the last reset; instead of a further one the "
              "supervisor stops. It is the max-restarts of supervisor-strategy, with the same "
              "values; only one of the two keys may be set."},
      {.path = ".while-down",
       .words = {"dead-letter"},
       .range = "dead-letter | a block with reply or forward",
       .doc = "What happens to messages while the actor is down. If not set, or with the word "
              "dead-letter, they become dead letters."},
      {.path = ".while-down.reply",
       .type = Type::text,
       .range = "\"plugin.Message/1\"",
       .example = "\"plugin.Message/1\"",
       .doc =
           "The name of the message that is sent as the reply to each message that arrives while "
           "the actor is down."},
      {.path = ".while-down.with",
       .type = Type::object,
       .example = "{}",
       .doc = "The fields of the message in `reply`; absent fields have their defaults."},
      {.path = ".while-down.forward",
       .type = Type::text,
       .form = "^/",
       .range = "the path of an actor",
       .example = "\"/user/NAME\"",
       .shown = Shown::as_alternative,
       .doc =
           "Instead of `reply`: the actor that the messages are forwarded to, with their original "
           "senders."},
      {.path = ".final-stop",
       .type = Type::list,
       .range = "a list of names of messages",
       .example = "[\"plugin.Message/1\"]",
       .doc = "Names of messages. After one of them the supervisor stops when the actor stops, or "
              "at once if the actor is down. Only with on-stop."},
  };
  for (SettingKey& key : keys) {
    key.path.insert(0, "actord.user.*.backoff-supervisor");
    key.reload = key.own_name() == "max-restarts" ? Reload::live : Reload::restart_actor;
  }
  return keys;
}

}  // namespace actord::schema
