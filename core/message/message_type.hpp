// SPDX-License-Identifier: Apache-2.0
//
// The runtime's entry for a message type: the plugin's table, and how the payload fits into an
// envelope.
#pragma once

#include <actord/plugin.h>

#include <cstdint>
#include <string_view>

namespace actord::message {

using TypeId = actord_type_id;

/// Ids from here on are those of further layouts: of types whose name and members a plugin that was
/// loaded before has, too, in another layout.
inline constexpr TypeId further_layouts = 1u << 12;

struct MessageType {
  const actord_message_type* table = nullptr;
  std::uint32_t size = 0;
  bool is_trivial = false;
  bool fits_inline = false;      // in the 40 bytes of an envelope
  bool fits_correlated = false;  // in the 32 bytes of an envelope with a token
  bool fits_small = false;       // in the 8 bytes of a small envelope
  bool is_word = false;          // trivial, exactly 8 bytes, and not built in
  bool is_builtin = false;       // "actord.…": routers do not send it on

  bool has(std::uint32_t flag) const noexcept { return (table->flags & flag) != 0; }
};

constexpr std::string_view view(actord_str text) noexcept { return {text.data, text.size}; }
constexpr actord_str to_c(std::string_view text) noexcept { return {text.data(), text.size()}; }

}  // namespace actord::message
