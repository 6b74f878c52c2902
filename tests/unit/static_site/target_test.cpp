// SPDX-License-Identifier: Apache-2.0

#include "static_site/target.hpp"

#include <doctest/doctest.h>

using static_site::folder_location;
using static_site::parse_target;
using static_site::relative_path;

TEST_SUITE("static_site/target") {
  TEST_CASE("a target names a path below the root") {
    struct Row {
      const char* text;
      const char* path;
      bool ends_in_slash;
      const char* query;
    };
    for (const Row& row : {
             Row{"/", "", true, ""},
             Row{"/a.html", "a.html", false, ""},
             Row{"/a/b/", "a/b", true, ""},
             Row{"/a?x=1/2", "a", false, "?x=1/2"},
             Row{"/a/?x", "a", true, "?x"},
             Row{"/a#part", "a", false, ""},
             Row{"//a///b", "a/b", false, ""},
             Row{"/./a/./b", "a/b", false, ""},
             Row{"/a/.", "a", true, ""},
             Row{"/...", "...", false, ""},
             Row{"/a%20b/%C3%A4%2b", "a b/\xC3\xA4+", false, ""},
             Row{"/a+b", "a+b", false, ""},
             Row{"http://host:80/a/b", "a/b", false, ""},
             Row{"http://host", "", true, ""},
         }) {
      CAPTURE(row.text);
      const auto target = parse_target(row.text);
      REQUIRE(target);
      CHECK(relative_path(*target) == row.path);
      CHECK(target->ends_in_slash == row.ends_in_slash);
      CHECK(target->query == row.query);
    }
  }

  TEST_CASE("what could lead out of the root, or is no path, is refused") {
    for (const char* text : {
             "",
             "a",
             "*",
             "host:80",
             "https://host/a",
             "/..",
             "/../a",
             "/a/..",
             "/a/../b",
             "/%2e%2e/a",
             "/%2E./a",
             "/.%2e",
             "//../a",
             "/a%2fb",
             "/..%2fa",
             "/%2F",
             "/a%00",
             "/%00",
             "/%",
             "/%4",
             "/%zz",
             "/a%2",
             "/%%20",
             "http://host/../a",
             "http://host?q",
         }) {
      CAPTURE(text);
      CHECK_FALSE(parse_target(text));
    }
  }

  TEST_CASE("a folder is redirected to itself with a slash, never to another host") {
    const auto location = [](const char* text) {
      return folder_location(parse_target(text).value());
    };
    CHECK(location("/a/b") == "/a/b/");
    CHECK(location("/a?x=1") == "/a/?x=1");
    CHECK(location("/a%20b%0d%0a%c3%a4") == "/a%20b%0D%0A%C3%A4/");
    CHECK(location("//evil.example") == "/evil.example/");
    CHECK(location("/") == "/");
  }

  TEST_CASE("bytes beyond ASCII are encoded and lead to the same path") {
    CHECK(static_site::ascii_only("/a%20b?c") == "/a%20b?c");
    CHECK(static_site::ascii_only("/\xC3\xA4/\xFF") == "/%C3%A4/%FF");
    CHECK(relative_path(*parse_target(static_site::ascii_only("/\xC3\xA4"))) == "\xC3\xA4");
  }
}
