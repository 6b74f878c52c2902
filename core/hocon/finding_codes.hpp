// SPDX-License-Identifier: Apache-2.0
//
// The codes of findings. A code keeps its meaning, so that scripts and searches can rely on it
// while messages become clearer. E: an error. W: a warning.
//
// Not here: the codes that belong to keys, and what each code means to an operator
// (daemon/schema/setting_codes.hpp).
#pragma once

#include <string_view>

namespace actord::hocon::codes {

inline constexpr std::string_view unreadable = "E0101";       // a file cannot be read
inline constexpr std::string_view include = "E0102";          // an include cannot be followed
inline constexpr std::string_view encoding = "E0103";         // text that is not UTF-8
inline constexpr std::string_view secret = "E0104";           // a kept secret cannot be read
inline constexpr std::string_view missing_include = "W0101";  // a file that is not required
inline constexpr std::string_view writable = "W0102";         // anyone may write the file or folder
inline constexpr std::string_view world_readable_secret = "W0103";  // anyone may read the secret
inline constexpr std::string_view no_credentials = "W0104";         // none outside the service

inline constexpr std::string_view syntax = "E0201";
inline constexpr std::string_view limit = "E0202";         // too deep, too long or too many
inline constexpr std::string_view substitution = "E0203";  // without a value, or in a cycle
inline constexpr std::string_view join = "E0204";          // values that cannot be joined

inline constexpr std::string_view mismatch = "E0302";  // wrong type or out of range
inline constexpr std::string_view value = "E0303";     // right type, but not possible here
inline constexpr std::string_view meaning = "W0301";   // accepted, but with another meaning

}  // namespace actord::hocon::codes
