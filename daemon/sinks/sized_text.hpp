// SPDX-License-Identifier: Apache-2.0
//
// Texts that may contain any bytes, one after another, each with its size before it. A batch of
// records for a socket has this form: each text becomes a datagram.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "sinks/line_buffer.hpp"

namespace actord::sinks {

using TextSize = std::uint64_t;
static_assert(std::endian::native == std::endian::little, "the journal reads little-endian sizes");

/// Leaves room for a size; returns where.
inline std::size_t begin_sized(LineBuffer& out) {
  out.reserve(sizeof(TextSize));
  out.advance(sizeof(TextSize));
  return out.size();
}

/// Writes the size of what was appended since into the room before it.
inline void end_sized(LineBuffer& out, std::size_t begin) noexcept {
  const TextSize size = out.size() - begin;
  out.overwrite(begin - sizeof size, &size, sizeof size);
}

/// Takes the first text from `batch`; empty: there is none.
inline std::string_view next_sized(std::string_view& batch) noexcept {
  TextSize size = 0;
  if (batch.size() < sizeof size) return {};
  std::memcpy(&size, batch.data(), sizeof size);
  batch.remove_prefix(sizeof size);
  const std::string_view text = batch.substr(0, size);
  batch.remove_prefix(text.size());
  return text;
}

}  // namespace actord::sinks
