// SPDX-License-Identifier: Apache-2.0
//
// What a handler does as a router, or with one (supervision.md 180u). The part owns nothing: the
// routees of all routers are in Routes.
#pragma once

#include <optional>
#include <string_view>

#include "actor/spawning.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

/// Makes the actor a router with that RouteLogic, or changes the logic. Children that are routees
/// already join.
base::Result<void> route(Turn& turn, std::int32_t logic);
/// Adds a routee that is no child spawned as one.
base::Result<void> add_routee(Turn& turn, Ref routee);
/// Sends each routee of that router a copy of `*message`, which is moved from, and returns their
/// number. If it is no router, it gets the message.
std::size_t tell_routees(Turn& turn, Ref router, message::TypeId type, void* message);
/// Spawns another child from the configuration of `child`. If that is `nobody`, it takes the
/// configuration of a configured routee.
base::Result<Ref, SpawnError> spawn_like(Turn& turn, Ref child, std::string_view name);
/// The hash of that field of the current message, the same in each run; none if there is no such
/// field.
std::optional<std::uint64_t> hash_of_field(Turn& turn, std::string_view field);
/// Sends the current message to a routee that is a child of this router, which is told when the
/// routee has handled it. False: it is no such routee, and nothing is sent.
bool offer(Turn& turn, Ref routee);
/// A routee of this router has handled such a message, or lost it: the next stashed one may go.
void on_credit(Turn& turn, Ref routee);
/// The current message becomes a dead letter of this actor: no routee gets it.
void refuse(Turn& turn);

}  // namespace actord::actor
