// SPDX-License-Identifier: Apache-2.0
//
// CRC-32C, the checksum of everything that the journal keeps.
#pragma once

#include <cstdint>
#include <string_view>

namespace actord::journal {

/// The checksum of bytes that come in parts.
class Checksum {
 public:
  Checksum& add(std::string_view bytes) noexcept;
  /// The eight bytes of a number, the lowest first.
  Checksum& add(std::uint64_t number) noexcept;
  std::uint32_t value() const noexcept { return ~state_; }

 private:
  std::uint32_t state_ = 0xFFFFFFFF;
};

/// What is stored with an event or a snapshot: `of_id` has its id already.
/// As SQLite stores it in the fewest bytes: with a sign.
inline std::int32_t entry_checksum(Checksum of_id, std::uint64_t sequence, std::string_view type,
                                   std::string_view content) noexcept {
  return static_cast<std::int32_t>(
      of_id.add(sequence).add(std::uint64_t{type.size()}).add(type).add(content).value());
}

}  // namespace actord::journal
