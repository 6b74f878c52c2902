// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace actord::actor {

/// The actors that ActorCounts has rows for.
enum class CountedActors : std::uint8_t { none, configured, all };

}  // namespace actord::actor
