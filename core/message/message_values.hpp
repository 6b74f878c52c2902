// SPDX-License-Identifier: Apache-2.0
//
// A message as a value, and a value as a message. The plugin's own functions do it where its table
// has them. A message that is plain bytes, or MessagePack, is written and read by what the table
// says of its members.
#pragma once

#include <string>

#include "message/message_type.hpp"

namespace actord::message {

/// Whether the message is bytes of which the table says everything: all its members are numbers,
/// truth values, refs and durations in ns.
bool is_plain(const actord_message_type& table) noexcept;
/// Whether the bytes of a plain message can be one: no truth value is anything but 0 and 1.
bool is_possible(const actord_message_type& table, const void* message) noexcept;

/// The type and its layout, for errors.
std::string named(const MessageType& type);
/// Describes the message to the writer. Fails if the plugin's function does, or if there is none
/// and none is needed.
actord_status write_message(const actord_message_type& table, const void* message,
                            actord_writer& writer, actord_errors& errors);
actord_status write_message(const MessageType& type, const void* message, actord_writer& writer,
                            actord_errors& errors);
/// Constructs at `to` the message that the value describes. The plugin's function gives defaults to
/// members that the value lacks; a plain message must have all. Reports what is wrong with the
/// value by its reader's reject(); then there is nothing at `to`.
actord_status read_message(const MessageType& type, void* to, actord_value value,
                           actord_errors& errors);

}  // namespace actord::message
