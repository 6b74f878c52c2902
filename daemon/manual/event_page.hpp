// SPDX-License-Identifier: Apache-2.0
//
// Generates the two descriptions of the log from the table in core/log/event_schema.cpp.
#pragma once

#include <string>

namespace actord::manual {

/// core/log/events.md: every event and every field, for people.
std::string event_page();

/// The JSON Schema of a line. A line of one of actord's events has no fields that the table does
/// not name; a line of a plugin's event may have any.
std::string event_json_schema();

}  // namespace actord::manual
