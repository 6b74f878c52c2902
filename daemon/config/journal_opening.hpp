// SPDX-License-Identifier: Apache-2.0
//
// The journal of persistent actors as the configuration wants it. It is opened when the first actor
// needs it, so that a daemon without such actors has none.
#pragma once

#include "config/configuration.hpp"
#include "log/hub.hpp"
#include "system/event_journal.hpp"

namespace actord::config {

/// `hub` outlives the journal.
system::JournalSettings journal_settings(const Configuration& configuration, log::Hub& hub);

}  // namespace actord::config
