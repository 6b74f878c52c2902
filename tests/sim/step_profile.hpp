// SPDX-License-Identifier: Apache-2.0
//
// `actord-sim --profile step`: the runtime on real pools and queues, with fibers as threads and a
// possible switch before every atomic operation.
//
// Its library holds its own copy of the core, compiled with ACTORD_SIM_POINTS and hidden. It
// exports only what is declared here.
#pragma once

#include "sim/profile.hpp"

namespace actord::sim {

/// Events are steps: atomic operations, locks and looks at the clock.
[[gnu::visibility("default")]] Outcome run_step(std::uint64_t seed, const RunOptions& options);

inline constexpr Profile step_profile{
    "step", "the core on fibers, a switch before any atomic operation; events are those",
    &run_step};

}  // namespace actord::sim
