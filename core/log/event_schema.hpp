// SPDX-License-Identifier: Apache-2.0
//
// The schema of the log: every event of actord, what it means, and its fields. The page events.md
// and config/actord-log.schema.json are generated from it, and the tests check each line against
// it.
//
// Events of plugins are not here: a plugin chooses their names and fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "log/log_record.hpp"

namespace actord::log {

/// The value of "schema" in each JSON line. The number grows when a field changes its meaning or
/// its kind, or goes; not when events or fields are added.
inline constexpr std::string_view schema_name = "actord.log/2";

enum class FieldKind : std::uint8_t {
  text,
  texts,  // a list
  boolean,
  natural,   // a whole number from 0 on
  integer,   // a whole number
  duration,  // see Field: in JSON the key has a unit, or gets the suffix _ms
  anything,
};

/// One field. The segment `N` of a key stands for an index from 0 on, and `*` at the end of a key
/// for one or more segments. Two fields have the same key if they mean different things in
/// different events.
struct FieldSchema {
  std::string_view key;
  FieldKind kind;
  std::string_view doc;                          // one sentence; without its full stop
  std::span<const std::string_view> words = {};  // the only texts that occur; empty: all texts
};

struct EventField {
  const FieldSchema* field;
  bool is_required;
};

/// The levels of an event; a set of bits.
enum class Levels : std::uint8_t {
  error = 1U << static_cast<unsigned>(Level::error),
  warning = 1U << static_cast<unsigned>(Level::warning),
  info = 1U << static_cast<unsigned>(Level::info),
  debug = 1U << static_cast<unsigned>(Level::debug),
};
constexpr Levels operator|(Levels a, Levels b) noexcept {
  return static_cast<Levels>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool contains(Levels levels, Level level) noexcept {
  return (static_cast<unsigned>(levels) >> static_cast<unsigned>(level) & 1U) != 0;
}
/// The names of the levels, the most severe one first.
std::vector<std::string_view> names_of(Levels levels);

inline constexpr std::size_t message_id_size = 32;

struct EventSchema {
  std::string_view topic;  // the heading under which the event is described
  std::string_view name;
  std::string_view id;  // MESSAGE_ID in the journal: 128 bits in hexadecimal, never changed
  Levels levels;
  std::string_view doc;  // a sentence
  std::span<const EventField> fields;
  // A record has exactly one of these fields; empty: no such rule.
  std::span<const FieldSchema* const> one_of = {};
  bool is_open = false;  // it may have other fields
  // It says who changed what, and is written whatever actord.log.level is: by Emitter::audit().
  bool is_audit = false;
};

/// All events of actord, those of one topic together.
std::span<const EventSchema> event_schemas() noexcept;
/// The schema of an event, or nullptr if it is none of actord's.
const EventSchema* find_event_schema(std::string_view name) noexcept;
/// The members that every JSON line has, in their order there.
std::span<const EventField> envelope_schema() noexcept;
/// The fields that any event may have besides its own: those of an event in a trace.
std::span<const EventField> trace_schema() noexcept;

/// Whether only actord writes events with such a name. The event of a plugin with such a name
/// becomes `plugin.event`.
bool is_reserved_event(std::string_view name) noexcept;
/// What reserved names begin with.
std::span<const std::string_view> reserved_event_prefixes() noexcept;

}  // namespace actord::log
