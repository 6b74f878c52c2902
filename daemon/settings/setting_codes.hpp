// SPDX-License-Identifier: Apache-2.0
//
// The kinds of findings about keys and values, and what every code of a finding means: those of the
// language (hocon/finding_codes.hpp) as well.
#pragma once

#include <span>
#include <string_view>

#include "hocon/finding_codes.hpp"

namespace actord::settings {

namespace codes {

inline constexpr std::string_view unknown_key = "E0301";
inline constexpr std::string_view needed = "E0304";        // a key that is not there
inline constexpr std::string_view conflict = "E0305";      // two that exclude each other
inline constexpr std::string_view shown_secret = "E0306";  // a secret where all can see it
inline constexpr std::string_view unknown_name = "E0401";  // of a plugin or of what is in it

inline constexpr std::string_view no_effect = "W0302";
inline constexpr std::string_view trap = "W0303";      // works, but not as one may think
inline constexpr std::string_view not_read = "W0304";  // a key of another system

}  // namespace codes

struct CodeMeaning {
  std::string_view code;
  std::string_view meaning;  // what is the matter, and what mends it
};

/// All codes, in order.
std::span<const CodeMeaning> code_meanings();

}  // namespace actord::settings
