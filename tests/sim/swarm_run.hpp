// SPDX-License-Identifier: Apache-2.0
//
// Runs a scenario of the swarm: builds its tree, carries out its operations, lets it come to rest,
// stops it, and checks throughout.
#pragma once

#include "sim/profile.hpp"
#include "sim/scenario.hpp"
#include "sim/sim_world.hpp"

namespace actord::sim {

/// `choices`: records the scheduler's choices and holds those to be replayed; null: neither.
/// `pick`: chooses what runs next instead of the scenario's way.
Outcome run_scenario(const Scenario& scenario, const RunOptions& options,
                     Choices* choices = nullptr, const sched::Simulator::Pick* pick = nullptr);

}  // namespace actord::sim
