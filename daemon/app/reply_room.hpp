// SPDX-License-Identifier: Apache-2.0
//
// An answer has to fit into one frame, whatever the configuration that it tells of comes to.
//
// Not here: frames (wire/frame.hpp).
#pragma once

#include <string>

#include "wire/control_message.hpp"

namespace actord::app {

/// Cuts every text in it that is longer than 16 KiB, and says how long it was.
void cut_texts(wire::Json& json);

/// Its bytes as JSON.
std::size_t size_of(const wire::Json& json);

/// Takes from the end of `owner[list]`, if there is such a list, what is beyond its share of a
/// frame, and says in `owner[list + "_left_out"]` how much that is. Texts in the rest are cut.
void make_room(wire::Json& owner, const std::string& list);

}  // namespace actord::app
