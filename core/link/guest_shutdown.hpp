// SPDX-License-Identifier: Apache-2.0
//
// The function of the guest's host table that is about the coordinated shutdown.
#pragma once

#include <actord/plugin.h>

#include <cstdint>

namespace actord::link::guest_shutdown {

actord_status add_shutdown_task(actord_context* c, actord_str phase, actord_str task,
                                actord_ref actor, std::int32_t is_end, actord_errors* errors);

}  // namespace actord::link::guest_shutdown
