// SPDX-License-Identifier: Apache-2.0
//
// Codes of findings about keys and values, and the meaning of all codes, including those of the
// language (hocon/finding_codes.hpp).
#pragma once

#include <span>
#include <string_view>

#include "hocon/finding_codes.hpp"

namespace actord::schema {

namespace codes {

inline constexpr std::string_view unknown_key = "E0301";
inline constexpr std::string_view needed = "E0304";        // a missing key
inline constexpr std::string_view conflict = "E0305";      // keys or values that exclude each other
inline constexpr std::string_view shown_secret = "E0306";  // a secret at a key whose value is shown
// an unknown plugin, or a name that no plugin has
inline constexpr std::string_view unknown_name = "E0401";
inline constexpr std::string_view resource = "E0402";  // a folder or file that cannot be used

inline constexpr std::string_view no_effect = "W0302";
inline constexpr std::string_view misleading = "W0303";  // valid, but with an unexpected effect
inline constexpr std::string_view not_read = "W0304";    // a key of another system
inline constexpr std::string_view unknown_failure = "W0401";  // a rule for an unknown exception
inline constexpr std::string_view port_in_use = "W0402";
inline constexpr std::string_view unjudged = "W0403";  // what the user of the unit may use

}  // namespace codes

struct CodeMeaning {
  std::string_view code;
  std::string_view meaning;  // the problem and how to correct it
};

/// All codes, in order.
std::span<const CodeMeaning> code_meanings();

}  // namespace actord::schema
