// SPDX-License-Identifier: Apache-2.0
#include "sinks/json_skeleton.hpp"

#include <cstring>

namespace actord::sinks {

/// Hashes the first and the last bytes: a shape begins with sizes and kinds and ends with a key,
/// which distinguish most shapes.
std::unique_ptr<JsonSkeleton>& JsonSkeletons::entry(std::string_view shape) noexcept {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (shape.size() >= sizeof first) {
    std::memcpy(&first, shape.data(), sizeof first);
    std::memcpy(&last, shape.data() + shape.size() - sizeof last, sizeof last);
  }
  const std::uint64_t mixed = (first + shape.size()) * 0x9E37'79B9'7F4A'7C15U ^ last;
  return entries_[mixed * 0x9E37'79B9'7F4A'7C15U >> (64U - bits)];
}

}  // namespace actord::sinks
