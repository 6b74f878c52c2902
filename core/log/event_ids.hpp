// SPDX-License-Identifier: Apache-2.0
//
// The check of the table of events that the compiler makes (event_schema.cpp).
#pragma once

#include <algorithm>

#include "log/event_schema.hpp"

namespace actord::log {

/// Whether each event has an id of its own. An id is 128 random bits (`systemd-id128 new`), and an
/// event keeps it for ever: the message catalogue of the journal and the scripts of operators find
/// the event by it.
constexpr bool have_ids(std::span<const EventSchema> events) noexcept {
  return std::ranges::all_of(events, [&](const EventSchema& event) {
    const bool is_hexadecimal = std::ranges::all_of(
        event.id, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    return event.id.size() == message_id_size && is_hexadecimal &&
           event.id.find_first_not_of('0') != event.id.npos &&
           std::ranges::count(events, event.id, &EventSchema::id) == 1;
  });
}

}  // namespace actord::log
