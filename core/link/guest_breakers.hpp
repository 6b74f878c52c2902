// SPDX-License-Identifier: Apache-2.0
//
// The part of guest_table() that is about circuit breakers which actors share.
#pragma once

#include <actord/plugin.h>

#include <cstdint>

namespace actord::link::guest_breakers {

std::uint64_t breaker(actord_context*, actord_str name, actord_errors*);
std::int32_t admit_call(actord_context*, std::uint64_t breaker, std::int64_t* call_timeout_ns);
void settle_call(actord_context*, std::uint64_t breaker, std::int32_t admission,
                 std::int32_t has_failed);
void breaker_state(actord_context*, std::uint64_t breaker, actord_breaker* out);

}  // namespace actord::link::guest_breakers
