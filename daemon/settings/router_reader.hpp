// SPDX-License-Identifier: Apache-2.0
//
// router: the router of a configured actor, and what a pattern says of routers that code creates.
//
// Not here: the router itself (actord/router.hpp).
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Reads the block of an actor, if it has one. Called after the actor's back-off supervisor was
/// read, beside which it cannot stand.
void read_router(ObjectReader& actor, Node& node);
/// Reads the block of a deployment pattern, which changes routers that code creates, if it has one.
void read_router(ObjectReader& pattern, actor::ActorOptions& options);

}  // namespace actord::settings
