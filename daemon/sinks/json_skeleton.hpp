// SPDX-License-Identifier: Apache-2.0
//
// A JSON line without its values: what the records of one shape have in common, kept so that their
// lines are copied together and not worked out each time.
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

/// Where a value stands in the text of a skeleton.
struct JsonSlot {
  std::uint32_t at = 0;
  std::uint32_t field = 0;   // of the record
  std::int64_t unit_ns = 0;  // that a duration is written in
};

struct JsonSkeleton {
  std::string shape;            // of the records; see log::Record
  Literal text;                 // the event, `,"msg":`, then everything from the fields on
  std::uint32_t head_size = 0;  // of that, what stands before the message
  std::vector<JsonSlot> slots;  // in the order of their places
};

/// The skeletons of the shapes that are frequent; rare ones push each other out.
class JsonSkeletons {
 public:
  /// The place for that shape; whoever finds another one's skeleton there, or none, replaces it.
  std::unique_ptr<JsonSkeleton>& place(std::string_view shape) noexcept;

 private:
  static constexpr unsigned bits = 7;
  std::array<std::unique_ptr<JsonSkeleton>, 1U << bits> places_;
};

}  // namespace actord::sinks
