// SPDX-License-Identifier: Apache-2.0
//
// Numbers of things in messages for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace actord::base {

/// "1 actor", "2 actors": `noun` is in the singular and takes an s. For "was" and "were" and other
/// words that follow the number, see by_number().
inline std::string counted(std::uint64_t n, std::string_view noun) {
  return std::to_string(n).append(" ").append(noun).append(n == 1 ? "" : "s");
}

/// The word that goes with that number: by_number(1, "has", "have") is "has".
constexpr std::string_view by_number(std::uint64_t n, std::string_view one, std::string_view many) {
  return n == 1 ? one : many;
}

}  // namespace actord::base
