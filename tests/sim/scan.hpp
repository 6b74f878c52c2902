// SPDX-License-Identifier: Apache-2.0
//
// What must hold between two steps, read off the cells and run queues themselves. The numbers are
// those of the invariants in README.md beside this.
#pragma once

#include <span>

#include "sim/sim_findings.hpp"
#include "sim/sim_world.hpp"

namespace actord::sim {

/// 1 to 4, 6, 7, 20 of all cells reachable from the root. Between two steps only.
void scan_running(SimWorld& world, Findings& findings);

/// 2, 6, 7, 24 when nothing is runnable and nothing is to come: every cell runs, is parked, is
/// suspended by nobody, watches who knows of it and is known by whom it watches.
void scan_settled(SimWorld& world, Findings& findings);

/// 20, 36 after the system has stopped: everything that was sent has ended, all blocks rest, no
/// timer is left.
void scan_stopped(SimWorld& world, Findings& findings);

}  // namespace actord::sim
