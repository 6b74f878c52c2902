// SPDX-License-Identifier: Apache-2.0
//
// A message's content as one line of text: equal messages of a type have equal texts.
//
// Not here: formats for others to read.
#pragma once

#include <string>

#include "message/message_type.hpp"

namespace actord::message {

/// What the type's own write() says of it; its name alone if that fails.
std::string canonical_text(const MessageType& type, const void* message);

}  // namespace actord::message
