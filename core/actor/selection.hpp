// SPDX-License-Identifier: Apache-2.0
//
// Sends a message to the actor at a path, or to all actors whose paths match a pattern
// (supervision.md 145).
#pragma once

#include <string_view>

#include "actor/turn.hpp"

namespace actord::actor {

/// Sends `*message`, which is moved from, to every named actor that `paths` selects. `paths` is a
/// path or a pattern, relative to this actor's own path. Returns the number of selected actors. If
/// `paths` is a path and no actor has it, an Identify is answered with `nobody`, and any other
/// message becomes a dead letter.
std::size_t tell_selection(Turn& turn, std::string_view paths, message::TypeId type, void* message);

}  // namespace actord::actor
