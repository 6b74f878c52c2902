// SPDX-License-Identifier: Apache-2.0
//
// The part of guest_table() that is about routers.
#pragma once

#include <actord/plugin.h>

#include <cstddef>
#include <cstdint>

namespace actord::link::guest_routing {

actord_status route(actord_context*, std::int32_t logic, actord_errors*);
actord_status add_routee(actord_context*, actord_ref routee, actord_errors*);
void remove_routee(actord_context*, actord_ref routee);
std::size_t routees(actord_context*, actord_ref router, actord_routee* out, std::size_t capacity);
std::size_t tell_routees(actord_context*, actord_ref router, actord_type_id type, void* message);
actord_ref spawn_like(actord_context*, actord_ref child, actord_str name, actord_errors*);
std::int32_t hash_of_field(actord_context*, actord_str field, std::uint64_t* out);
void refuse(actord_context*);
std::int32_t offer(actord_context*, actord_ref routee);

}  // namespace actord::link::guest_routing
