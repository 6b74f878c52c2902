// SPDX-License-Identifier: Apache-2.0
//
// What the runtime knows of a message type: the plugin's table and how its payload lies in an
// envelope.
#pragma once

#include <actord/plugin.h>

#include <cstdint>
#include <string_view>

namespace actord::message {

using TypeId = actord_type_id;

struct MessageType {
  const actord_message_type* table = nullptr;
  std::uint32_t size = 0;
  bool is_trivial = false;
  bool fits_inline = false;      // in an envelope's 40 bytes
  bool fits_correlated = false;  // in the 32 that a token leaves
  bool fits_small = false;       // in the 8 of a small one
  bool is_word = false;          // trivial, and exactly those 8

  bool has(std::uint32_t flag) const noexcept { return (table->flags & flag) != 0; }
};

constexpr std::string_view view(actord_str text) noexcept { return {text.data, text.size}; }
constexpr actord_str to_c(std::string_view text) noexcept { return {text.data(), text.size()}; }

}  // namespace actord::message
