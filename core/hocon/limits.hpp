// SPDX-License-Identifier: Apache-2.0
//
// Limits on the cost of a configuration: a hostile file ends in a message, not in swapping.
#pragma once

#include <cstdint>
#include <string>

namespace actord::hocon {

/// The cost that a configuration may have. Anything beyond is an error with a place.
struct Limits {
  std::uint32_t nesting = 256;  // braces, brackets and path elements together
  std::uint32_t include_depth = 50;
  std::uint32_t files = 1000;
  std::uint64_t source_bytes = 64u << 20;  // all files together
  std::uint64_t nodes = 2'000'000;         // of all files together, and again after resolution
  std::uint64_t text_bytes = 256u << 20;   // of strings joined by resolution
  std::uint32_t reference_depth = 2'500;   // substitutions that wait for each other; fewer where
                                           // the stack is small
  std::uint32_t errors = 50;               // reported at once
};

/// The message for files with more values than Limits::nodes.
inline std::string too_many_values(const Limits& limits) {
  return "the files have more than " + std::to_string(limits.nodes) + " values altogether";
}

}  // namespace actord::hocon
