// SPDX-License-Identifier: Apache-2.0
//
// The profile `small`: exhaustive instead of random, for small scenarios. A seed is a number; its
// digits spell out a scenario of at most 3 actors, 2 failures and 4 messages. Each scenario runs
// with the schedule "oldest first", and with those that differ from it in one choice, then in two.
#pragma once

#include "sim/profile.hpp"

namespace actord::sim {

struct Scenario;

extern const Profile small_profile;

/// The scenario of a number below small_profile.seeds.
Scenario small_scenario(std::uint64_t number);

}  // namespace actord::sim
