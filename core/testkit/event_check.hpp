// SPDX-License-Identifier: Apache-2.0
//
// Compares a record of the log with the table of events (log/event_schema.hpp).
#pragma once

#include <string>

#include "log/log_record.hpp"

namespace actord::testkit {

/// A sentence that says what the table does not allow in the record: the event, the field and what
/// is wrong with it. Empty if the record is as the table says, or if it is an event of a plugin,
/// which may have any fields. If the record is truncated, only its name and level are compared.
std::string departure_from_schema(const log::Record& record);

}  // namespace actord::testkit
