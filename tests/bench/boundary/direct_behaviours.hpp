// SPDX-License-Identifier: Apache-2.0
//
// The players of the boundary row as core itself would have them: they are entered as every
// behaviour is, by a pointer, and from there on call core's own types, without the table of the
// host, without a Context and without a try block.
#pragma once

#include <actord/actord.hpp>

namespace actord::bench {

extern const actord_behaviour direct_player, direct_source, direct_sink;

}  // namespace actord::bench
