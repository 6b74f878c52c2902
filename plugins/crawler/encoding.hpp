// SPDX-License-Identifier: Apache-2.0
//
// The character encodings of web pages, by the labels of the WHATWG Encoding Standard, and their
// conversion to UTF-8 with iconv.
//
// Not here: which encoding a page has (sniffing.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace crawler {

/// A character encoding.
struct Encoding {
  /// What a byte that iconv refuses means for the bytes after it.
  enum class Form {
    utf8,     // converted without iconv
    utf16,    // characters of two or four bytes
    single,   // characters of one byte
    multi,    // a lead byte may have a trail byte
    escaped,  // escape sequences switch between sets of characters
  };

  std::string_view name;  // name in the standard, in lower case
  const char* converter;  // name for iconv
  Form form;
};

/// The encoding that the standard gives this label, or nullptr. Blanks around the label and its
/// case do not matter. As in browsers, "iso-8859-1" means windows-1252 and "euc-kr" windows-949.
/// Any thread.
[[nodiscard]] const Encoding* encoding_of(std::string_view label);

/// The two encodings of pages that declare none.
[[nodiscard]] const Encoding& utf8();
[[nodiscard]] const Encoding& windows_1252();

/// A text in UTF-8.
struct Decoded {
  std::string text;          // valid UTF-8
  std::size_t replaced = 0;  // how often U+FFFD stands for bytes that are no character
};

/// Converts any bytes; it never fails. A byte order mark of `encoding` at the beginning is dropped.
/// If this system's iconv lacks the encoding, the bytes are read as UTF-8. Any thread.
[[nodiscard]] Decoded decode(std::string_view bytes, const Encoding& encoding);

}  // namespace crawler
