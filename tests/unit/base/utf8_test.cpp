// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include <doctest/doctest.h>

#include <string>

namespace utf8 = actord::base::utf8;

TEST_SUITE_BEGIN("base/utf8");

TEST_CASE("a text is cut at its limit, and before a character that does not fit") {
  CHECK(utf8::clip("actor", 5) == "actor");
  CHECK(utf8::clip("actor", 3) == "act");
  CHECK(utf8::clip("a\u20acb", 4) == "a\u20ac");
  CHECK(utf8::clip("a\u20acb", 3) == "a");
  CHECK(utf8::clip("\u20ac", 2).empty());
  CHECK(utf8::clip("actor", 0).empty());
}

TEST_CASE("what is no UTF-8 loses no more than a character") {
  CHECK(utf8::clip("\x80\x80\x80\x80\x80\x80", 5).size() == 2);
}

TEST_CASE("decode reads one valid sequence and rejects every other") {
  CHECK(utf8::decode("a").code == U'a');
  CHECK(utf8::decode("\u20acb").code == U'\u20ac');
  CHECK(utf8::decode("\u20acb").bytes == 3);
  CHECK(utf8::decode("\xF4\x8F\xBF\xBF").code == 0x10FFFF);
  CHECK(utf8::decode("").bytes == 0);
  CHECK(utf8::decode("\x80").bytes == 0);              // continuation byte
  CHECK(utf8::decode("\xE2\x82").bytes == 0);          // cut
  CHECK(utf8::decode("\xC1\x81").bytes == 0);          // overlong 'A'
  CHECK(utf8::decode("\xE0\x9F\xBF").bytes == 0);      // overlong U+07FF
  CHECK(utf8::decode("\xF0\x8F\xBF\xBF").bytes == 0);  // overlong U+FFFF
  CHECK(utf8::decode("\xED\xA0\x80").bytes == 0);      // surrogate
  CHECK(utf8::decode("\xF4\x90\x80\x80").bytes == 0);  // beyond U+10FFFF
  CHECK(utf8::decode("\xFF").bytes == 0);
}

TEST_CASE("append writes what decode reads") {
  for (const char32_t code : {U'a', U'\u00e9', U'\u20ac', U'\U0001F600', char32_t{0x10FFFF}}) {
    std::string text;
    utf8::append(text, code);
    CHECK(utf8::decode(text).code == code);
    CHECK(utf8::decode(text).bytes == text.size());
  }
}

TEST_CASE("length and offset_of count code points, find_invalid bytes") {
  const std::string text = "a\u20acb";
  CHECK(utf8::length(text) == 3);
  CHECK(utf8::offset_of(text, 2) == 4);
  CHECK(utf8::offset_of(text, 9) == text.size());
  CHECK(utf8::find_invalid(text) == std::string::npos);
  CHECK(utf8::find_invalid("0123456789abcdef\u20ac\xFF") == 19);
}
