// SPDX-License-Identifier: Apache-2.0
//
// A layout of a message type in which a message is its MessagePack. actord has a message so that
// only a process with the plugin can read: it need not know how the plugin's compiler and library
// lay the message out. To other layouts it is translated as between two plugins
// (core/decisions/0011-messages-across-layouts.md).
#pragma once

#include <actord/plugin.h>

#include <string>
#include <string_view>

namespace actord::message {

/// A message of that layout.
struct PackedMessage {
  char* bytes;
  std::size_t size;

  std::string_view view() const noexcept { return {bytes, size}; }
};

/// Constructs the message from a copy of the bytes, which are whole (is_whole_pack()). Throws
/// std::bad_alloc.
PackedMessage packed_message(std::string_view bytes);
void destroy_packed(PackedMessage& message) noexcept;

/// The table of the type in that layout; what it points to is `declared`'s. `id` is a place for its
/// id. It has no function `read`: read_message() does it by the members.
actord_message_type packed_table(const actord_message_type& declared, actord_type_id* id);
bool is_packed(const actord_message_type& table) noexcept;

/// The MessagePack of a message of any layout, by which messages are compared: the bytes between
/// members, which may be anything, are not in it. Empty if the plugin's function fails, so that
/// messages of the type count alike.
std::string pack_of(const actord_message_type& table, const void* message);

/// Gives a value to the writer as it is.
void copy_value(actord_value value, actord_writer& writer);

}  // namespace actord::message
