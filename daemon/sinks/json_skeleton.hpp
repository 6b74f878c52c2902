// SPDX-License-Identifier: Apache-2.0
//
// A JSON line without its values: the text that all records of one shape share. It is kept, so
// that their lines are copied instead of formatted each time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinks/line_buffer.hpp"

namespace actord::sinks {

/// Where a value belongs in the text of a skeleton.
struct JsonSlot {
  std::uint32_t at = 0;
  std::uint32_t field = 0;   // index of the field in the record
  std::int64_t unit_ns = 0;  // unit in which a duration is written
};

struct JsonSkeleton {
  std::string shape;            // of the records; see log::Record
  Literal text;                 // the event, `,"msg":`, then everything from the fields on
  std::uint32_t head_size = 0;  // bytes of `text` before the message
  std::vector<JsonSlot> slots;  // ordered by `at`
};

/// A cache of skeletons by shape. Two shapes with the same entry replace each other.
class JsonSkeletons {
 public:
  /// The cache entry for a shape. The caller replaces its skeleton if it is missing or of another
  /// shape.
  std::unique_ptr<JsonSkeleton>& entry(std::string_view shape) noexcept;

 private:
  static constexpr unsigned bits = 7;
  std::array<std::unique_ptr<JsonSkeleton>, 1U << bits> entries_;
};

}  // namespace actord::sinks
