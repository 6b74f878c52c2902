// SPDX-License-Identifier: Apache-2.0
//
// What event_schema.hpp says of names: of levels, of single events, and of those that only actord
// uses. Not here: the table of events (event_schema.cpp).
#include <algorithm>

#include "log/event_schema.hpp"

namespace actord::log {

namespace {

// The names of all events of actord, except deadletter, begin with one of these.
constexpr std::string_view reserved_prefixes[] = {
    "actor.",      "admin.",        "breaker.",  "config.",  "daemon.",
    "dispatcher.", "event-stream.", "guardian.", "ingress.", "journal.",
    "log.",        "mailbox.",      "message.",  "plugin.",  "quarantine.",
    "shutdown.",   "supervisor.",   "watchdog.", "worker."};

}  // namespace

std::vector<std::string_view> names_of(Levels levels) {
  std::vector<std::string_view> names;
  for (const Level level : {Level::error, Level::warning, Level::info, Level::debug}) {
    if (contains(levels, level)) names.push_back(level_name(level));
  }
  return names;
}

const EventSchema* find_event_schema(std::string_view name) noexcept {
  const auto events = event_schemas();
  const auto found = std::ranges::find(events, name, &EventSchema::name);
  return found == events.end() ? nullptr : &*found;
}

std::span<const std::string_view> reserved_event_prefixes() noexcept { return reserved_prefixes; }

bool is_reserved_event(std::string_view name) noexcept {
  return name == "deadletter" ||
         std::ranges::any_of(reserved_prefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace actord::log
