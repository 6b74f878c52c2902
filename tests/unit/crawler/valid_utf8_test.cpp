// SPDX-License-Identifier: Apache-2.0

#include "crawler/valid_utf8.hpp"

#include <doctest/doctest.h>

using namespace std::string_view_literals;
using crawler::find_invalid_utf8;
using crawler::looks_like_utf8;

namespace {

std::string valid(std::string_view text, std::size_t expected_replaced) {
  std::string out;
  CHECK(crawler::append_valid_utf8(out, text) == expected_replaced);
  CHECK(find_invalid_utf8(out).size == 0);
  return out;
}

}  // namespace

TEST_SUITE("crawler/valid_utf8") {
  TEST_CASE("characters of one to four bytes are valid, at any distance from a word of eight") {
    for (std::size_t shift = 0; shift < 17; ++shift) {
      const std::string text = std::string(shift, 'a') +
                               "\x7F \xC2\x80 \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xF0\x90\x80"
                               "\x80 \xF4\x8F\xBF\xBF long enough for a whole word";
      CHECK(find_invalid_utf8(text).size == 0);
      CHECK(find_invalid_utf8(text).at == text.size());
      CHECK(valid(text, 0) == text);
    }
  }

  TEST_CASE("overlong forms, surrogates, code points that do not exist and single bytes are not") {
    for (const std::string_view bad :
         {"\xC0\xAF"sv, "\xC1\xBF"sv, "\xE0\x9F\xBF"sv,
          "\xF0\x8F\xBF"
          "\xBF"sv,
          "\xED\xA0\x80"sv, "\xF4\x90\x80\x80"sv, "\xF5"sv, "\xFF"sv, "\x80"sv, "\xC3("sv}) {
      CAPTURE(bad.size());
      CHECK(find_invalid_utf8(bad).size == 1);
      CHECK_FALSE(looks_like_utf8(bad));
    }
  }

  TEST_CASE("one replacement stands for the longest part that could have begun a character") {
    CHECK(valid("a\xE2\x82z", 1) == "a\xEF\xBF\xBDz");
    CHECK(valid("\xF0\x9F\x98", 1) == "\xEF\xBF\xBD");
    CHECK(valid("\xED\xA0\x80", 3) == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    CHECK(valid("\xE2\x82\xE2\x82\xAC", 1) == "\xEF\xBF\xBD\xE2\x82\xAC");
  }

  TEST_CASE("a text that ends within a character still looks like UTF-8") {
    CHECK(looks_like_utf8("\xC3\xA9 caf\xC3"));
    CHECK(looks_like_utf8("\xC3\xA9 \xF0\x9F\x98"));
    CHECK(looks_like_utf8(""));
    CHECK_FALSE(looks_like_utf8("caf\xE9"));  // it is windows-1252
    CHECK_FALSE(looks_like_utf8("caf\xE9 au lait"));
  }
}
