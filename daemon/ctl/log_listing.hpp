// SPDX-License-Identifier: Apache-2.0
//
// What the verbs logs and events have in common: they list lines of the log, and follow it.
#pragma once

#include <vector>

#include "ctl/verb.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

/// --follow, --lines, --since, --level and --event.
std::vector<Option> listing_options();

/// Lists the lines that match `filter` (arguments of log.read), the options above and the path of
/// an actor, if the call has an operand.
Exit list_log(const Call& call, wire::Json filter);

}  // namespace actord::ctl
