// SPDX-License-Identifier: Apache-2.0
//
// The profile `swarm`: random trees under random failures, each seed with other features on.
#pragma once

#include "sim/profile.hpp"

namespace actord::sim {

extern const Profile swarm_profile;

}  // namespace actord::sim
