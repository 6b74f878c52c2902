// SPDX-License-Identifier: Apache-2.0
#include "schema/known_words.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

namespace {

constexpr std::int64_t millisecond = 1'000'000;
constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t hour = 3600 * second;

}  // namespace

constexpr SettingKey worker_rows[] = {
    {.path = "actord.worker",
     .doc = "Host processes, in which the instances of actors with isolation = process live. What "
            "is set here holds for processes that are started from then on."},
    {.path = "actord.worker.group",
     .type = Type::word,
     .words = names<worker_group_words>,
     .default_value = "per-plugin",
     .reload = Reload::new_actors,
     .doc = "Which isolated actors share a process, if neither the actor's node nor a deployment "
            "pattern says so. per-plugin: all of one plugin; when one of them crashes, the others "
            "fail with actord::PeerCrash, for which they are not charged. per-actor: each has a "
            "process of its own."},
    {.path = "actord.worker.spare",
     .type = Type::integer,
     .min = 0,
     .max = 16,
     .default_value = "1",
     .reload = Reload::live,
     .doc = "Processes that are started beforehand for each plugin with isolated actors, so that "
            "a restart after a crash need not wait for one. 0: none."},
    {.path = "actord.worker.start-timeout",
     .type = Type::duration,
     .min = 100 * millisecond,
     .max = hour,
     .default_value = "10 s",
     .reload = Reload::live,
     .doc = "How long a process may take until it has loaded and attached the plugin. Then it is "
            "killed, and the actor cannot be created: actord::StartTimeout."},
    {.path = "actord.worker.stuck-timeout",
     .type = Type::duration,
     .words = off,
     .min = 100 * millisecond,
     .max = 24 * hour,
     .range = "off | 100 ms to 1 day",
     .default_value = "30 s",
     .reload = Reload::live,
     .doc = "How long a handler or a hook in a process may run. worker.stuck tells of it with the "
            "stack; then the process is killed, and the actor fails with actord::crash::Hang. off: "
            "it may run for ever."},
    {.path = "actord.worker.memory-max",
     .type = Type::size,
     .words = names<worker_memory_words>,
     .min = std::int64_t{32} << 20,
     .default_value = "unlimited",
     .reload = Reload::live,
     .doc = "The address space of a process. Beyond it code gets no more memory: in C++ "
            "std::bad_alloc, which is a failure like any other."},
    {.path = "actord.worker.nofile",
     .type = Type::integer,
     .words = names<worker_nofile_words>,
     .min = 32,
     .max = 1 << 20,
     .default_value = "inherit",
     .reload = Reload::live,
     .doc = "How many file descriptors a process may have open. inherit: as many as actord."},
    {.path = "actord.worker.core",
     .type = Type::boolean,
     .default_value = "off",
     .reload = Reload::live,
     .doc = "Whether the kernel may write a core dump of a process that has crashed. The next "
            "instance does not wait for the dump. worker.crashed has the stack in any case."},
};

SettingKeys worker_keys() { return worker_rows; }

}  // namespace actord::schema
