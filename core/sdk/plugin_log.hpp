// SPDX-License-Identifier: Apache-2.0
//
// The log functions of the host's table: events that plugins write. A plugin cannot write what
// looks like an event of actord.
#pragma once

#include <actord/plugin.h>

namespace actord::sdk {

// The functions of actord_host with these names; `log_event` is `log` there.
void log_event(actord_context* c, int32_t level, actord_str event, actord_str text,
               const actord_field* fields, size_t n);
void system_log(actord_system* s, int32_t level, actord_str event, actord_str text,
                const actord_field* fields, size_t n);
void log_supervision(actord_context* c, int32_t event, actord_ref child, int64_t restart_count,
                     int64_t delay_ns, int64_t max_restarts);

}  // namespace actord::sdk
