// SPDX-License-Identifier: Apache-2.0
#include "wire/frame.hpp"

#include <doctest/doctest.h>

using namespace actord::wire;

TEST_SUITE_BEGIN("wire/frame");

TEST_CASE("a frame is the length in four bytes, the most significant first, and the text") {
  CHECK(framed("ab") == std::string("\0\0\0\2ab", 6));
  CHECK(framed(std::string(0x010203, 'x')).substr(0, 4) == std::string("\0\1\2\3", 4));
}

TEST_CASE("texts come out whole, however their bytes come in") {
  const std::string bytes = framed("first") + framed("second") + framed(std::string(70'000, 'z'));
  for (const std::size_t piece :
       {std::size_t{1}, std::size_t{3}, std::size_t{4096}, bytes.size()}) {
    CAPTURE(piece);
    FrameReader reader;
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.add(std::string_view{bytes}.substr(at, piece));
      for (auto text = reader.next(); text && *text; text = reader.next()) texts.push_back(**text);
    }
    REQUIRE(texts.size() == 3);
    CHECK(texts[0] == "first");
    CHECK(texts[1] == "second");
    CHECK(texts[2].size() == 70'000);
    CHECK_FALSE(reader.is_within_a_frame());
  }
}

TEST_CASE("half a frame is nothing yet") {
  FrameReader reader;
  reader.add(framed("text").substr(0, 6));
  const auto text = reader.next();
  REQUIRE(text.ok());
  CHECK_FALSE(text->has_value());
  CHECK(reader.is_within_a_frame());
}

TEST_CASE("a length that no frame may have is an error, and stays one") {
  for (const char* head : {"\0\0\0\0", "\xff\xff\xff\xff", "\0\x10\0\1"}) {
    FrameReader reader;
    reader.add({head, 4});
    CHECK_FALSE(reader.next().ok());
    reader.add("more");
    CHECK_FALSE(reader.next().ok());
  }
}

TEST_CASE("the longest text goes through") {
  FrameReader reader;
  reader.add(framed(std::string(text_size_max, 'x')));
  const auto text = reader.next();
  REQUIRE(text.ok());
  CHECK((*text)->size() == text_size_max);
}
