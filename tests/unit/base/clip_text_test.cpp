// SPDX-License-Identifier: Apache-2.0
#include "base/clip_text.hpp"

#include <doctest/doctest.h>

using actord::base::clip_text;

TEST_SUITE_BEGIN("base/clip_text");

TEST_CASE("a text is cut at its limit, and before a character that does not fit") {
  CHECK(clip_text("actor", 5) == "actor");
  CHECK(clip_text("actor", 3) == "act");
  CHECK(clip_text("a\u20acb", 4) == "a\u20ac");
  CHECK(clip_text("a\u20acb", 3) == "a");
  CHECK(clip_text("\u20ac", 2).empty());
  CHECK(clip_text("actor", 0).empty());
}

TEST_CASE("what is no UTF-8 loses no more than a character") {
  CHECK(clip_text("\x80\x80\x80\x80\x80\x80", 5).size() == 2);
}
