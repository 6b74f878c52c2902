// SPDX-License-Identifier: Apache-2.0
//
// What must hold of every configuration, whatever syntax it came from.
#pragma once

#include "hocon/limits.hpp"
#include "hocon/source.hpp"

namespace actord::fuzz {

/// Small enough that no input takes longer than it teaches.
hocon::Limits small_limits();

/// Resolves: findings have places; of a tree, every value can be read as every type, every path
/// leads to its value, and rendered JSON means the same when it is read again.
void check_resolved(hocon::Source& source, const hocon::Limits& limits);

}  // namespace actord::fuzz
