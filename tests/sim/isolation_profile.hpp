// SPDX-License-Identifier: Apache-2.0
//
// The profile `isolation`: trees whose actors live in host processes, which end at any moment: when
// they are idle, in the middle of a handler, before or after a call, or in the middle of what they
// say.
#pragma once

#include "sim/profile.hpp"

namespace actord::sim {

extern const Profile isolation_profile;

}  // namespace actord::sim
