// SPDX-License-Identifier: Apache-2.0
#include "schema/known_words.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

namespace {

constexpr std::int64_t millisecond = 1'000'000;
constexpr std::int64_t day = 86'400'000'000'000;
constexpr std::int64_t exit_code_max = 255;

}  // namespace

constexpr SettingKey shutdown_rows[] = {
    {.path = "actord.coordinated-shutdown",
     .doc = "The phases of a stop, in which actors do what they have registered for it, while all "
            "actors still run. After the last phase the actors are stopped."},
    {.path = "actord.coordinated-shutdown.default-phase-timeout",
     .type = Type::duration,
     .min = millisecond,
     .max = day,
     .default_value = "5 s",
     .doc = "How long the tasks of a phase may take, unless the phase says something else. "
            "stop-timeout begins after the last phase; a service manager is told to wait for the "
            "phases in addition to TimeoutStopSec=."},
    {.path = "actord.coordinated-shutdown.exit-code",
     .type = Type::integer,
     .min = 0,
     .max = exit_code_max,
     .default_value = "0",
     .doc = "The exit status after a stop that was asked for and went well. A status other than 0 "
            "makes systemd start actord again with Restart=on-failure, unless systemctl has "
            "stopped it."},

    {.path = "actord.coordinated-shutdown.phases",
     .type = Type::names,
     .name = "PHASE",
     .doc = "Phases, by name. What is set here changes a standard phase or adds one. The standard "
            "phases, each after the one before it: before-service-unbind, service-unbind, "
            "service-requests-done, service-stop, before-actor-system-terminate, "
            "actor-system-terminate. The last one is always the last one."},
    {.path = "actord.coordinated-shutdown.phases.*"},
    {.path = "actord.coordinated-shutdown.phases.*.depends-on",
     .type = Type::list,
     .range = "a list of names of phases",
     .example = "[\"service-stop\"]",
     .doc = "The phases that are over before this one begins. If not set: none, or for a standard "
            "phase the one before it."},
    {.path = "actord.coordinated-shutdown.phases.*.timeout",
     .type = Type::duration,
     .min = millisecond,
     .max = day,
     .example = "10 s",
     .doc = "How long its tasks may take. If not set: default-phase-timeout."},
    {.path = "actord.coordinated-shutdown.phases.*.recover",
     .type = Type::boolean,
     .default_value = "on",
     .doc = "What follows when a task has failed or taken too long, which is a warning "
            "(shutdown.task-failed). on: the next phase. off: no phase runs any more, the actors "
            "are stopped, and the exit status is 70."},
    {.path = "actord.coordinated-shutdown.phases.*.enabled",
     .type = Type::boolean,
     .default_value = "on",
     .doc = "off: its tasks do not run."},

    {.path = "actord.coordinated-shutdown.reason-overrides",
     .type = Type::names,
     .name = "SIGTERM",
     .doc = "What is different when actord stops for a certain reason, by the reason of "
            "daemon.stopping: SIGTERM, SIGINT, SIGHUP, operator (actorctl shutdown), "
            "actor-lost, guardian-failed or guardian-stopped."},
    {.path = "actord.coordinated-shutdown.reason-overrides.*"},
    {.path = "actord.coordinated-shutdown.reason-overrides.*.exit-code",
     .type = Type::integer,
     .min = 0,
     .max = exit_code_max,
     .example = "3",
     .doc = "The exit status. If not set: exit-code, and 69 for actor-lost and guardian-failed."},
};

SettingKeys shutdown_keys() { return shutdown_rows; }

}  // namespace actord::schema
