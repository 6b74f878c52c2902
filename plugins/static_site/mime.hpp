// SPDX-License-Identifier: Apache-2.0
//
// What the name and the first bytes of a file tell of its contents: media type, character encoding
// and language, for the headers of an answer.
//
// A charset is given only if it is known. A wrong one does more harm than none, because it counts
// more for a client than what an HTML page declares itself.
#pragma once

#include <string>
#include <string_view>

namespace static_site {

/// What the endings of a name tell. The views are of constants.
struct FileType {
  std::string_view media_type = "application/octet-stream";
  std::string_view charset;   // "EUC-KR" for "a.html.ko.euc-kr"; empty: not told
  std::string_view language;  // "ko"; empty: not told
  bool is_text = false;       // the media type has a parameter charset
};

/// The type of a file of that name, by the rules of Apache's mod_mime: the endings stand in any
/// order and are compared without case; of two of a kind the last one counts; an unknown one makes
/// those before it void, so that "page.html.bak" is no HTML.
FileType file_type(std::string_view file_name);

/// The charset that a byte order mark at the beginning of a text gives, or empty.
std::string_view marked_charset(std::string_view first_bytes);

/// The value of Content-Type: "text/html; charset=UTF-8", or without an empty charset.
std::string content_type(std::string_view media_type, std::string_view charset);

}  // namespace static_site
