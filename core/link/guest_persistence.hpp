// SPDX-License-Identifier: Apache-2.0
//
// The functions of the guest's host table that are about persistent actors.
#pragma once

#include <actord/plugin.h>

namespace actord::link::guest_persistence {

actord_status persistence_id(actord_context* c, actord_str id, actord_errors* errors);
std::int32_t persist(actord_context* c, actord_type_id type, const void* event, std::uint32_t flags,
                     std::uint64_t* sequence, actord_errors* errors);
std::int32_t save_snapshot(actord_context* c, actord_type_id type, const void* state,
                           actord_errors* errors);
void delete_events(actord_context* c, std::uint64_t to);
void persistence_state(actord_context* c, actord_persistence_state* out);

}  // namespace actord::link::guest_persistence
