// SPDX-License-Identifier: Apache-2.0
//
// Checks that hold between two steps, read from the cells and run queues themselves. The numbers
// are those of the rules in README.md beside this file.
#pragma once

#include <span>

#include "sim/sim_findings.hpp"
#include "sim/sim_world.hpp"

namespace actord::sim {

/// 1 to 4, 6, 7, 20 for all cells reachable from the root. Call between two steps only.
void scan_running(SimWorld& world, Findings& findings);

/// 2, 6, 7, 24 when nothing is runnable and nothing is to come: every cell runs, is parked and is
/// not suspended, and both ends of each watch agree on it.
void scan_settled(SimWorld& world, Findings& findings);

/// 20, 36 after the system has stopped: every message sent has ended, all blocks rest, no timer is
/// left.
void scan_stopped(SimWorld& world, Findings& findings);

}  // namespace actord::sim
