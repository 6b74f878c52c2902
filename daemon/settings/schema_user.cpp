// SPDX-License-Identifier: Apache-2.0
#include "settings/known_words.hpp"
#include "settings/schema_sections.hpp"

namespace actord::settings {

SettingKeys user_keys() {
  return {
      {.path = "actord.user",
       .type = Type::names,
       .name = "NAME",
       .reload = Reload::live,
       .doc = "The actors below /user by name. They start in this order, each when the one before "
              "it has started."},
      {.path = "actord.user.*", .reload = Reload::live},
      {.path = "actord.user.*.behaviour",
       .type = Type::text,
       .form = plugin_part_form,
       .range = "\"plugin/Behaviour\"",
       .example = "\"plugin/Behaviour\"",
       .reload = Reload::restart_actor,
       .doc = "What the actor does, and the plugin it comes from. Without it the actor only "
              "supervises its children."},
      {.path = "actord.user.*.config",
       .type = Type::object,
       .example = "{}",
       .reload = Reload::restart_actor,
       .doc = "What the behaviour is told; its plugin documents the keys. A key that it does not "
              "know is an error."},
      {.path = "actord.user.*.dispatcher",
       .type = Type::word,
       .words = names_of(dispatcher_words),
       .example = "default",
       .reload = Reload::restart_actor,
       .doc = "What runs the actor; see deployment. Without it as a deployment pattern says, else "
              "default."},
      {.path = "actord.user.*.mailbox", .reload = Reload::restart_actor},
      {.path = "actord.user.*.mailbox.capacity",
       .type = Type::integer,
       .words = names_of(capacity_words),
       .least = 1,
       .most = capacity_most,
       .example = "unlimited",
       .reload = Reload::restart_actor,
       .doc = "Messages that may wait; more become dead letters. Without it as a deployment "
              "pattern says, else unlimited."},
      {.path = "actord.user.*.stash-capacity",
       .type = Type::integer,
       .words = names_of(capacity_words),
       .least = 1,
       .most = capacity_most,
       .example = "unlimited",
       .reload = Reload::live,
       .doc = "Messages that the actor may set aside at once; one more makes it fail with "
              "actord::StashOverflow. Without it as a deployment pattern or its code says, else as "
              "default-mailbox does."},
      {.path = "actord.user.*.supervisor-strategy",
       .words = {"default", "stopping"},
       .form = strategy_class_form,
       .range = "default | stopping | a block",
       .reload = Reload::live,
       .doc = "How the actor judges the failures of its children. Without it as its code says, "
              "else as with default: restart without limit; stop what could not be created, was "
              "killed or lost an actor it watches; escalate what is no exception of C++. stopping: "
              "stop on any exception."},
      {.path = "actord.user.*.children",
       .type = Type::names,
       .example = "{}",
       .like = "actord.user",
       .reload = Reload::live,
       .doc = "The actors below this one by name, each as described here."},
  };
}

SettingKeys backoff_supervisor_keys() {
  SettingKeys keys = {
      {.path = "",
       .shown = Shown::apart,
       .doc = "An actor behind a back-off supervisor, which starts it anew after growing delays "
              "and passes on what it is sent. With it /user/NAME is the supervisor; the actor is "
              "/user/NAME/NAME, and what is said beside it is said of the actor, except "
              "supervisor-strategy, by which the supervisor judges it. An actor that comes back is "
              "another one, and what it had not handled is lost; to keep address and messages use "
              "supervisor-strategy.backoff instead."},
      {.path = ".mode",
       .type = Type::word,
       .words = names_of(backoff_mode_words),
       .is_needed = true,
       .example = "on-stop",
       .doc = "on-stop: the actor comes back whenever it has stopped; a failure that the strategy "
              "restarts is restarted at once, so it takes supervisor-strategy = stopping to wait "
              "after failures too. on-failure: it comes back when it has failed and the strategy "
              "says restart; when it stops otherwise, so does the supervisor."},
      {.path = ".min",
       .type = Type::duration,
       .least = 1,
       .is_needed = true,
       .example = "3 s",
       .doc = "The first delay; each is twice as long as the one before, at most max."},
      {.path = ".max",
       .type = Type::duration,
       .least = 1,
       .is_needed = true,
       .range = "a duration of at least min",
       .example = "30 s",
       .doc = "The longest delay, before chance."},
      {.path = ".random-factor",
       .type = Type::number,
       .least = 0,
       .most = 1,
       .standard = "0.2",
       .doc = "Up to this share is added to a delay by chance."},
      {.path = ".reset",
       .type = Type::word,
       .words = names_of(backoff_reset_words),
       .standard = "auto",
       .doc = "When delays begin with min again. auto: after a start that nothing followed for "
              "reset-after. manual: when the supervisor is sent an actord.Reset/1."},
      {.path = ".reset-after",
       .type = Type::duration,
       .least = 1,
       .range = "min to max",
       .example = "3 s",
       .doc = "See reset. Without it as long as min."},
      {.path = ".max-restarts",
       .type = Type::integer,
       .words = names_of(max_restarts_words),
       .example = "unlimited",
       .doc = "So many delayed starts since the last reset, then the supervisor stops. Part of the "
              "strategy: it may stand there instead, and holds as it says there."},
      {.path = ".while-down",
       .words = {"dead-letter"},
       .range = "dead-letter | a block with reply or forward",
       .doc = "What becomes of messages while the actor is down. Without it, or with the word "
              "dead-letter, they are dead letters."},
      {.path = ".while-down.reply",
       .type = Type::text,
       .range = "\"plugin.Message/1\"",
       .example = "\"plugin.Message/1\"",
       .doc = "The name of a message that their senders get."},
      {.path = ".while-down.with",
       .type = Type::object,
       .example = "{}",
       .doc = "The fields of that message; what is absent has its default."},
      {.path = ".while-down.forward",
       .type = Type::text,
       .form = "^/",
       .range = "the path of an actor",
       .example = "\"/user/NAME\"",
       .shown = Shown::instead,
       .doc = "Instead of reply: who gets them, with their senders."},
      {.path = ".final-stop",
       .type = Type::list,
       .range = "a list of names of messages",
       .example = "[\"plugin.Message/1\"]",
       .doc = "After one of these messages the next stop of the actor is also the supervisor's; "
              "while the actor is down, at once. Only with on-stop."},
  };
  for (SettingKey& key : keys) {
    key.path.insert(0, "actord.user.*.backoff-supervisor");
    key.reload = key.own_name() == "max-restarts" ? Reload::live : Reload::restart_actor;
  }
  return keys;
}

}  // namespace actord::settings
