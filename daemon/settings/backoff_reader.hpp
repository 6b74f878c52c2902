// SPDX-License-Identifier: Apache-2.0
//
// backoff-supervisor: the classic back-off supervisor in front of a configured actor.
//
// Not here: what it does (actord/backoff_supervisor.hpp), and the back-off in the cell
// (strategy_reader.hpp).
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Reads the block of an actor, if it has one, once its strategy has been read, and makes the
/// strategy the supervisor's.
void read_backoff_supervisor(ObjectReader& actor, Node& node);

}  // namespace actord::settings
