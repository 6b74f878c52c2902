// SPDX-License-Identifier: Apache-2.0
//
// `on-failure` of an actor's node or of a deployment pattern: what becomes of a message on which
// the actor fails.
#pragma once

#include "actor/actor_options.hpp"
#include "settings/object_reader.hpp"

namespace actord::settings {

void read_on_failure(ObjectReader& block, actor::ActorOptions& options);

}  // namespace actord::settings
