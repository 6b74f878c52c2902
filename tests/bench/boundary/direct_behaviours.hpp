// SPDX-License-Identifier: Apache-2.0
//
// The actors of the boundary row without the boundary: core calls them by a pointer, as every
// behaviour, and they then call core's own types, without the host table, without a Context and
// without a try block.
#pragma once

#include <actord/actord.hpp>

namespace actord::bench {

extern const actord_behaviour direct_player, direct_source, direct_sink;

}  // namespace actord::bench
