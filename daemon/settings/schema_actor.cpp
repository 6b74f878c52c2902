// SPDX-License-Identifier: Apache-2.0
#include "settings/known_words.hpp"
#include "settings/schema_sections.hpp"

namespace actord::settings {

namespace {

constexpr std::int64_t millisecond = 1'000'000;
constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t day = 86'400 * second;

SettingKey debug_switch(std::string_view name, std::string_view doc) {
  return {.path = "actord.actor.debug." + std::string{name},
          .type = Type::boolean,
          .standard = "off",
          .reload = Reload::live,
          .doc = doc};
}

}  // namespace

SettingKeys actor_keys() {
  return {
      {.path = "actord.actor"},
      {.path = "actord.actor.guardian-supervisor-strategy",
       .words = {"default", "stopping"},
       .form = guardian_strategy_form,
       .range = "default | stopping | \"plugin/Configurator\" | a block as in "
                "user.NAME.supervisor-strategy",
       .example = "default",
       .like = "actord.user.*.supervisor-strategy",
       .reload = Reload::live,
       .doc = "How /user judges the actors of actord.user. Without it as with default. Also read "
              "as akka.actor.guardian-supervisor-strategy or "
              "pekko.actor.guardian-supervisor-strategy, with the class names known there, such as "
              "akka.actor.StoppingSupervisorStrategy; only one of the three may be set."},

      {.path = "actord.actor.default-dispatcher",
       .doc = "Runs all actors that do not say otherwise."},
      {.path = "actord.actor.default-dispatcher.workers",
       .type = Type::integer,
       .words = names_of(workers_words),
       .least = 1,
       .most = 64,
       .standard = "auto",
       .doc = "Threads. auto: one per CPU that this process may use, by its affinity and by the "
              "CPU quota of its control groups."},
      {.path = "actord.actor.default-dispatcher.throughput",
       .type = Type::integer,
       .least = 1,
       .most = 10'000,
       .standard = "64",
       .doc = "Messages that an actor handles before it looks at the clock. More is throughput, "
              "less is fairness."},
      {.path = "actord.actor.default-dispatcher.throughput-deadline",
       .type = Type::duration,
       .least = 0,
       .most = second,
       .standard = "20 us",
       .doc = "How long an actor goes on while it has messages and others wait; 0: `throughput` "
              "messages, no more."},

      {.path = "actord.actor.blocking-io-dispatcher",
       .doc = "\"blocking-io\": a thread for each actor that has something to do, for actors that "
              "wait for the network or the disk."},
      {.path = "actord.actor.blocking-io-dispatcher.threads-max",
       .type = Type::integer,
       .least = 1,
       .most = 4096,
       .standard = "64",
       .doc = "As many threads as there may be at once; further actors wait for one."},
      {.path = "actord.actor.blocking-io-dispatcher.keep-alive",
       .type = Type::duration,
       .least = millisecond,
       .most = day,
       .standard = "10 s",
       .doc = "How long a thread without work stays."},

      {.path = "actord.actor.default-mailbox",
       .doc = "Used by an actor unless its node, a deployment pattern or its code says "
              "otherwise."},
      {.path = "actord.actor.default-mailbox.stash-capacity",
       .type = Type::integer,
       .words = names_of(capacity_words),
       .least = 1,
       .most = capacity_most,
       .standard = "unlimited",
       .reload = Reload::live,
       .doc = "Messages that an actor may set aside at once; one more makes it fail with "
              "actord::StashOverflow."},

      {.path = "actord.actor.message-memory-max",
       .type = Type::size,
       .words = names_of(memory_words),
       .least = Settings::message_memory_least,
       .standard = "auto",
       .reload = Reload::live,
       .doc = "Memory that waiting messages may take up, 32 or 64 bytes each without what they "
              "own besides, before no more are taken from outside: threads of plugins that send "
              "with try_tell are told so, and can make their own callers wait. Actors are never "
              "refused. auto: an eighth of the memory that this process may use, by its control "
              "groups or by what the machine has."},

      {.path = "actord.actor.debug",
       .doc = "Lines about what actors do, at level debug: log.level must let them through."},
      debug_switch("receive", "Every message that an actor handles."),
      debug_switch("autoreceive",
                   "Messages that the system handles in an actor's place, such as PoisonPill and "
                   "Identify."),
      debug_switch("lifecycle", "Starts, restarts, stops, and who watches whom."),
      debug_switch("unhandled", "Every message that its receiver has no handler for."),
      debug_switch("event-stream", "Subscriptions to the event stream."),
  };
}

SettingKeys deployment_keys() {
  return {
      {.path = "actord.actor.deployment",
       .type = Type::names,
       .name = "\"PATTERN\"",
       .reload = Reload::new_actors,
       .doc = "What holds for actors by their path, also for those that other actors create. In a "
              "pattern * stands for one whole name, and ** at its end for one or more: "
              "\"/user/crawler/*\", \"/user/ingest/**\". Of the patterns that match a path the one "
              "with the most names written out wins, then the one with the most *, then the one "
              "without **, and its rule alone holds; two that are equally specific are an error. "
              "An actor's own node in actord.user goes before."},
      {.path = "actord.actor.deployment.*", .reload = Reload::new_actors},
      {.path = "actord.actor.deployment.*.dispatcher",
       .type = Type::word,
       .words = names_of(dispatcher_words),
       .example = "default",
       .reload = Reload::new_actors,
       .doc = "What runs the actor. pinned: a thread of its own, as long as it lives, for actors "
              "that hold what belongs to a thread or must not wait for others. Without it as the "
              "code that creates the actor says, else default."},
      {.path = "actord.actor.deployment.*.mailbox", .reload = Reload::new_actors},
      {.path = "actord.actor.deployment.*.mailbox.capacity",
       .type = Type::integer,
       .words = names_of(capacity_words),
       .least = 1,
       .most = capacity_most,
       .example = "unlimited",
       .reload = Reload::new_actors,
       .doc = "Messages that may wait; more become dead letters."},
      {.path = "actord.actor.deployment.*.stash-capacity",
       .type = Type::integer,
       .words = names_of(capacity_words),
       .least = 1,
       .most = capacity_most,
       .example = "unlimited",
       .reload = Reload::live,
       .doc = "Messages that the actor may set aside at once. Without it as its code says, else as "
              "default-mailbox does."},
      {.path = "actord.actor.deployment.*.supervisor-strategy",
       .words = {"default", "stopping"},
       .form = strategy_class_form,
       .range = "default | stopping | a block as in user.NAME.supervisor-strategy",
       .example = "default",
       .like = "actord.user.*.supervisor-strategy",
       .reload = Reload::live,
       .doc = "How the actor judges its children. Without it as its code says, else as with "
              "default."},
  };
}

}  // namespace actord::settings
