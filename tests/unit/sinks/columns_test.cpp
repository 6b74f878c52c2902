// SPDX-License-Identifier: Apache-2.0
//
// The width of texts on a terminal.
#include "sinks/columns.hpp"

#include <doctest/doctest.h>

#include <string>

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/columns");

TEST_CASE("a character takes as many columns as a terminal gives it") {
  CHECK(columns_of("") == 0);
  CHECK(columns_of("plain") == 5);
  CHECK(columns_of("Zürich → …") == 10);
  CHECK(columns_of("中文") == 4);
  CHECK(columns_of("e\u0301") == 1);     // an accent stands on the letter before it
  CHECK(columns_of("\U0001F600") == 2);  // an emoji
  CHECK(columns_of("\U0001FAE8") == 2);  // too new for the C library: the most it may take
  CHECK(columns_of("\x1b[1;31mred\x1b[0m") == 3);
}

TEST_CASE("a text that fits is not cut") {
  CHECK(cut_end("中文", 4) == "中文");
  CHECK(cut_end("", 0).empty());
  CHECK(cut_middle("/user/a", 7) == "/user/a");
}

TEST_CASE("a cut text has at most the columns that it was given") {
  CHECK(cut_end("plain text", 6) == "plain…");
  CHECK(cut_end("中文字", 5) == "中文…");
  CHECK(cut_end("中文字", 4) == "中…");  // half of a character cannot be shown
  CHECK(cut_end("plain", 1) == "…");
  CHECK(cut_end("plain", 0).empty());
  CHECK(cut_middle("/user/crawler/fetcher-1", 16) == "/user…/fetcher-1");
  CHECK(cut_middle("/user/中文中文中文", 9) == "/u…文中文");
  CHECK(cut_middle("/user", 1) == "…");
  CHECK(cut_middle("/user", 0).empty());
}

TEST_CASE("a cut ends the colour that it cuts") {
  CHECK(cut_end("\x1b[1mplain text\x1b[0m", 6) == "\x1b[1mplain…\x1b[0m");
}

TEST_SUITE_END();

}  // namespace actord::sinks
