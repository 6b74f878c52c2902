// SPDX-License-Identifier: Apache-2.0
//
// The profile `companions`: random trees of actors that use routers, state machines, breakers,
// persistence, deliveries, retries, pipes and tasks of the shutdown, and that fail in each
// callback.
#pragma once

#include "sim/profile.hpp"

namespace actord::sim {

extern const Profile companions_profile;

}  // namespace actord::sim
