// SPDX-License-Identifier: Apache-2.0

#include "static_site/http_date.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace std::chrono_literals;
using static_site::http_date;
using static_site::parse_http_date;
using std::chrono::sys_days;

TEST_SUITE("static_site/http_date") {
  TEST_CASE("a date is written as HTTP's own example is") {
    const auto time = sys_days{1994y / 11 / 6} + 8h + 49min + 37s;
    CHECK(http_date(time) == "Sun, 06 Nov 1994 08:49:37 GMT");
    CHECK(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT") == time);
  }

  TEST_CASE("what was written is read back, leap days and the time before 1970 included") {
    for (const auto time : {sys_days{2024y / 2 / 29} + 23h + 59min + 59s,
                            sys_days{1969y / 12 / 31} + 1s, sys_days{2000y / 1 / 1} + 0s}) {
      CAPTURE(http_date(time));
      CHECK(parse_http_date(http_date(time)) == time);
    }
  }

  TEST_CASE("text that is no such date is not guessed at") {
    for (const char* text : {
             "",
             "soon",
             "0",
             "Sunday, 06-Nov-94 08:49:37 GMT",
             "Sun Nov  6 08:49:37 1994",
             "Sun, 06 Nov 1994 08:49:37 CET",
             "Sun, 06 Nov 1994 08:49:37 GMT ",
             "Sun, 31 Feb 1994 08:49:37 GMT",
             "Sun, 06 Foo 1994 08:49:37 GMT",
             "Sun, 06 Nov 1994 24:49:37 GMT",
             "Sun, 06 Nov 1994 08:60:37 GMT",
             "Sun, 06 Nov 1994 08-49-37 GMT",
             "Sun, -6 Nov 1994 08:49:37 GMT",
         }) {
      CAPTURE(text);
      CHECK_FALSE(parse_http_date(text));
    }
  }
}
