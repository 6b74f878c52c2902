// SPDX-License-Identifier: Apache-2.0
//
// One run of the profile `companions`: the system of a scenario, what is done to it, the rest that
// must follow, and its shutdown.
#pragma once

#include "sim/companion_scenario.hpp"
#include "sim/profile.hpp"

namespace actord::sim::companions {

Outcome run_scenario(const Scenario& scenario, const RunOptions& options);

}  // namespace actord::sim::companions
