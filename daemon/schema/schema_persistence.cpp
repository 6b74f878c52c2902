// SPDX-License-Identifier: Apache-2.0
#include "schema/known_words.hpp"
#include "schema/schema_sections.hpp"

namespace actord::schema {

namespace {

constexpr std::int64_t one_second = 1'000'000'000;
constexpr std::int64_t one_day = 86'400 * one_second;

}  // namespace

constexpr SettingKey persistence_rows[] = {
    {.path = "actord.persistence",
     .doc = "What persistent actors keep: the events that they have acknowledged, and snapshots of "
            "their state. A daemon without persistent actors has no journal."},
    {.path = "actord.persistence.journal"},
    {.path = "actord.persistence.journal.path",
     .type = Type::path,
     .range = "a path; relative as in state-dir",
     .example = "/var/lib/actord/journal",
     .doc = "The folder of the journal, for this user alone: an SQLite database, its write-ahead "
            "log, a file that says how far it was acknowledged, and 16 MiB of room that are "
            "reserved for a full disk. It must be on a local file system. If not set: the folder "
            "journal in the state directory."},
    {.path = "actord.persistence.journal.durability",
     .type = Type::word,
     .words = names<durability_words>,
     .default_value = "power",
     .reload = Reload::live,
     .doc = "What an acknowledged event outlives. power: a loss of power, because each group of "
            "events is synced to the disk. process: only the end of the process, also by SIGKILL; "
            "a loss of power may take the last seconds. That is many times as fast for "
            "single events."},
    {.path = "actord.persistence.journal.batch",
     .doc = "Events that wait while a group is written are the next group; nothing waits for more "
            "to come."},
    {.path = "actord.persistence.journal.batch.events",
     .type = Type::integer,
     .min = 1,
     .max = 65'536,
     .default_value = "2048",
     .reload = Reload::live,
     .doc = "How many events a group has at most."},
    {.path = "actord.persistence.journal.batch.bytes",
     .type = Type::size,
     .min = std::int64_t{4} << 10,
     .max = std::int64_t{64} << 20,
     .default_value = "1 MiB",
     .reload = Reload::live,
     .doc = "How large the content of a group is at most. A single event may be larger."},
    {.path = "actord.persistence.recovery"},
    {.path = "actord.persistence.recovery.concurrent",
     .type = Type::integer,
     .min = 1,
     .max = 10'000,
     .default_value = "64",
     .reload = Reload::live,
     .doc =
         "How many actors read their events at the same time. Others wait for their turn. An actor "
         "with 16 KiB of events and snapshot at most gets them at once, and needs no turn."},
    {.path = "actord.persistence.recovery.timeout",
     .type = Type::duration,
     .words = off,
     .min = one_second,
     .max = one_day,
     .range = "off | 1 s to 1 day",
     .default_value = "30 s",
     .reload = Reload::live,
     .doc = "How long an actor whose turn it is may wait for its next events. Then it fails. off: "
            "it waits for ever."},
    {.path = "actord.persistence.snapshots"},
    {.path = "actord.persistence.snapshots.every",
     .type = Type::integer,
     .words = off,
     .min = 1,
     .max = 1'000'000'000,
     .range = "off | 1 to 1000000000",
     .default_value = "1000",
     .reload = Reload::live,
     .doc = "After how many events an actor that can write its state writes a snapshot of it, so "
            "that its next recovery reads only the events behind that. off: only when its code "
            "asks for one."},
    {.path = "actord.persistence.snapshots.keep",
     .type = Type::integer,
     .min = 1,
     .max = 100,
     .default_value = "2",
     .reload = Reload::live,
     .doc = "How many snapshots of an actor are kept. If the newest is damaged, an older one and "
            "the events behind it are taken."},
    {.path = "actord.persistence.snapshots.delete-events",
     .type = Type::boolean,
     .default_value = "off",
     .reload = Reload::live,
     .doc = "Whether events are deleted that the snapshot before the newest covers."},
};

SettingKeys persistence_keys() { return persistence_rows; }

}  // namespace actord::schema
