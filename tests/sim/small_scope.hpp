// SPDX-License-Identifier: Apache-2.0
//
// The profile `small`: not chance but all there is, of the small. A seed is a number that spells
// out a scenario of at most 3 actors, 2 failures and 4 messages, digit by digit; of each, the
// schedule "oldest first" is played, and all that differ from it in one choice, and then in two.
#pragma once

#include "sim/profile.hpp"

namespace actord::sim {

struct Scenario;

extern const Profile small_profile;

/// The scenario of a number below small_profile.seeds.
Scenario small_scenario(std::uint64_t number);

}  // namespace actord::sim
