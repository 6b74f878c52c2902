// SPDX-License-Identifier: Apache-2.0
//
// Tells actord how this process ends, before it does: by a signal that it has caused, by a call of
// exit(), or because it has lost its connection. Then the lanes are closed, so that actord goes on
// without waiting for the kernel.
#pragma once

#include "os/shared_lanes.hpp"

namespace actord::host {

/// From now on the end of the process is told in these lanes, which live as long as the process.
/// Called once.
void tell_end_in(os::SharedLanes& lanes);

/// The calling thread serves that lane. Its crash can be told even if its stack is full.
void serve_lane_here(int lane) noexcept;

/// The plugin has closed the connection to actord.
void note_lost_connection() noexcept;

}  // namespace actord::host
