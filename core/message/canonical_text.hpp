// SPDX-License-Identifier: Apache-2.0
//
// A message's content as a text, to compare messages: equal messages of a type have equal texts.
//
// Not here: text formats for people or other programs.
#pragma once

#include <string>

#include "message/message_type.hpp"

namespace actord::message {

/// The text of what the type's own write() writes; the type's name if write() fails.
std::string canonical_text(const MessageType& type, const void* message);

}  // namespace actord::message
