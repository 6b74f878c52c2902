// SPDX-License-Identifier: Apache-2.0
//
// A message that crosses from the layout of one plugin to that of another: another compiler's
// library, a struct of C or of Rust. The one plugin writes the message, the other reads it, and
// MessagePack lies between them (decisions/0011-messages-across-layouts.md).
#pragma once

#include "message/message_type.hpp"

namespace actord::message {

/// Constructs at `at` a message of the layout `to` with the content of *from, which stays. Fails if
/// the writing plugin or the reading one does, and reports why; then there is nothing at `at`.
actord_status translate(const MessageType& type, const void* from, const MessageType& to, void* at,
                        actord_errors& errors);

}  // namespace actord::message
