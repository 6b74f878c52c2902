// SPDX-License-Identifier: Apache-2.0
//
// Plays a scenario of the swarm: builds its tree, does what it says, lets it come to rest, stops
// it, and checks all along.
#pragma once

#include "sim/profile.hpp"
#include "sim/scenario.hpp"
#include "sim/sim_world.hpp"

namespace actord::sim {

/// `choices`: where the scheduler's are written, and which are to be played again; null: neither.
/// `pick`: another way to choose who runs next than the scenario's.
Outcome run_scenario(const Scenario& scenario, const RunOptions& options,
                     Choices* choices = nullptr, const sched::Simulator::Pick* pick = nullptr);

}  // namespace actord::sim
