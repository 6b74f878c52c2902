// SPDX-License-Identifier: Apache-2.0
//
// Generates the message catalogue for the journal from the table in core/log/event_schema.cpp and
// the texts in catalogue_texts.cpp.
#pragma once

#include <string>

namespace actord::manual {

/// systemd/actord.catalog: an entry for each event (see "Message Catalog Developer Documentation"
/// of systemd). Throws std::logic_error if an event that operators meet has no text, a text has no
/// event, or a text names a field that its event need not have.
std::string journal_catalogue();

}  // namespace actord::manual
