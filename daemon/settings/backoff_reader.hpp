// SPDX-License-Identifier: Apache-2.0
//
// backoff-supervisor: the classic back-off supervisor in front of a configured actor.
//
// Not here: the supervisor itself (actord/backoff_supervisor.hpp), and strategies with a back-off
// (strategy_reader.hpp).
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Reads the block of an actor, if it has one. Called after the actor's strategy was read, because
/// that becomes the strategy of the supervisor.
void read_backoff_supervisor(ObjectReader& actor, Node& node);

}  // namespace actord::settings
