// SPDX-License-Identifier: Apache-2.0
//
// Reads what is written about crashes. The files may have been damaged, or made by others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/control_message.hpp"

namespace actord::app {

/// Null: it is no JSON. What is nested deeper than records are is left out.
wire::Json read_json(std::string_view text);

/// The object of that name; an empty one if there is none.
const wire::Json& object_in(const wire::Json& json, const char* name);
/// The texts in the array of that name; empty ones in place of what are none.
std::vector<std::string> texts_in(const wire::Json& json, const char* name);

/// The file of a place such as "/usr/lib/x.so+0x12f0"; all of it if it has no offset.
std::string file_of_place(const std::string& place);

/// Whether it is an event daemon.crashed of which every member has its type.
bool is_crash_event(const wire::Json& json);
/// Whether it is that with the member `crash` (crash_store.hpp).
bool is_crash(const wire::Json& json);

}  // namespace actord::app
