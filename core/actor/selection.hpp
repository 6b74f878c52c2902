// SPDX-License-Identifier: Apache-2.0
//
// Messages to the actor at a path, or to all whose paths match a pattern (supervision.md 145).
#pragma once

#include <string_view>

#include "actor/turn.hpp"

namespace actord::actor {

/// Sends `*message`, which is moved from, to every named actor that `paths` selects, relative to
/// this actor's own path, and answers how many. A single path that no actor has makes a dead
/// letter.
std::size_t tell_selection(Turn& turn, std::string_view paths, message::TypeId type, void* message);

}  // namespace actord::actor
