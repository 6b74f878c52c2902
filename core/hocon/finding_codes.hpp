// SPDX-License-Identifier: Apache-2.0
//
// The kinds of findings, under codes that stay: what a script or a search looks for, while messages
// may become clearer. E: an error. W: a warning.
//
// Not here: the codes of those who read the tree, beyond what conversion can find
// (settings/finding_codes.hpp, which also says what each means).
#pragma once

#include <string_view>

namespace actord::hocon::codes {

inline constexpr std::string_view unreadable = "E0101";       // a file cannot be read
inline constexpr std::string_view include = "E0102";          // what an include names
inline constexpr std::string_view encoding = "E0103";         // text that is not UTF-8
inline constexpr std::string_view secret = "E0104";           // that cannot be had
inline constexpr std::string_view missing_include = "W0101";  // and nobody requires it
inline constexpr std::string_view writable = "W0102";         // by everybody
inline constexpr std::string_view open_secret = "W0103";      // everybody may read it
inline constexpr std::string_view no_credentials = "W0104";   // outside the service

inline constexpr std::string_view syntax = "E0201";
inline constexpr std::string_view limit = "E0202";         // too deep, too long, too many
inline constexpr std::string_view substitution = "E0203";  // leads nowhere, or to itself
inline constexpr std::string_view join = "E0204";          // values that cannot be joined

inline constexpr std::string_view mismatch = "E0302";  // wrong type, or out of range
inline constexpr std::string_view value = "E0303";     // right type, but not possible here
inline constexpr std::string_view meaning = "W0301";   // taken, but as something else

}  // namespace actord::hocon::codes
