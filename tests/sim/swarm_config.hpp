// SPDX-License-Identifier: Apache-2.0
//
// A configuration of the swarm as the system wants it, and whether the running tree is what the
// last one says.
#pragma once

#include "sim/witness.hpp"

namespace actord::sim {

/// Whose cell is there, by actor. Gives a number to those who have not begun yet.
std::vector<bool> present(Witness& witness);

/// `user`: the guardian's own part, the same in all of them.
system::Wanted wanted_of(Witness& witness, ConfigCheck::Config& config, actor::NodeSpec user);

/// At rest: 40, and 41 but for what is seen earlier, and 43.
void scan_configured(Witness& witness);

}  // namespace actord::sim
