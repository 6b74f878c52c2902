// SPDX-License-Identifier: Apache-2.0
//
// A configuration of the swarm as the system wants it, and the check that the running tree agrees
// with the last one.
#pragma once

#include "sim/witness.hpp"

namespace actord::sim {

/// By actor, whether its cell exists. Gives a number to actors that have not begun yet.
std::vector<bool> present(Witness& witness);

/// `user`: the guardian's own node, the same in all configurations.
system::SnapshotSpec snapshot_spec_of(Witness& witness, ConfigCheck::Config& config,
                                      actor::NodeSpec user);

/// At rest: 40, 43, and what of 41 is not checked earlier.
void scan_configured(Witness& witness);

}  // namespace actord::sim
