// SPDX-License-Identifier: Apache-2.0

#include "crawler/url.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>

#include "crawler/chaos.hpp"

namespace {

std::string resolved(std::string_view base, std::string_view reference) {
  const auto page = crawler::parse_url(base);
  REQUIRE(page);
  const auto target = crawler::resolve_url(*page, reference);
  return target ? target->text() : "none";
}

}  // namespace

TEST_SUITE("crawler/url") {
  TEST_CASE("a relative reference means what RFC 3986 says it means") {
    struct Row {
      const char* reference;
      const char* target;
    };
    // clang-format off
    // §5.4 of the RFC, with http instead of a made-up scheme, and without fragments.
    const Row rows[] = {
        {"g", "http://a/b/c/g"}, {"./g", "http://a/b/c/g"}, {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"}, {"//g", "http://g/"}, {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"}, {"#s", "http://a/b/c/d;p?q"}, {"g#s", "http://a/b/c/g"},
        {"g?y#s", "http://a/b/c/g?y"}, {";x", "http://a/b/c/;x"}, {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"}, {"./", "http://a/b/c/"}, {"..", "http://a/b/"},
        {"../", "http://a/b/"}, {"../g", "http://a/b/g"}, {"../..", "http://a/"},
        {"../../g", "http://a/g"}, {"../../../g", "http://a/g"}, {"/./g", "http://a/g"},
        {"/../g", "http://a/g"}, {"g.", "http://a/b/c/g."}, {"..g", "http://a/b/c/..g"},
        {"./../g", "http://a/b/g"}, {"./g/.", "http://a/b/c/g/"}, {"g/./h", "http://a/b/c/g/h"},
        {"g/../h", "http://a/b/c/h"}, {"g;x=1/../y", "http://a/b/c/y"},
        {"g?y/../x", "http://a/b/c/g?y/../x"}, {"http://b/x", "http://b/x"},
        // What the RFC has no example of.
        {"./?y", "http://a/b/c/?y"}, {".//g", "http://a/b/c//g"}, {"..//g", "http://a/b//g"},
        {"12:30", "http://a/b/c/12:30"}, {"%68ttp://b/x", "http://a/b/c/http://b/x"},
    };
    // clang-format on
    for (const Row& row : rows) {
      CAPTURE(row.reference);
      CHECK(resolved("http://a/b/c/d;p?q", row.reference) == row.target);
    }
  }

  // A reference with a query is resolved by libcurl, one without may not be.
  TEST_CASE("a plain path is resolved as libcurl does it") {
    constexpr std::array bases = {"http://a/",        "http://a/d/p.html",
                                  "http://a/d/e/f/",  "http://a/d/?q=/x/../y",
                                  "http://a/x%20y/z", "http://a/d/.../x"};
    constexpr std::array segments = {"..", ".", "a", "b.html", "x..y", "...", "-", "~u", "_", "A."};
    for (std::uint64_t i = 0; i < 5000; ++i) {
      std::uint64_t random = crawler::mixed(i);
      const auto next = [&random](std::size_t count) {
        random = crawler::mixed(random);
        return static_cast<std::size_t>(random % count);
      };
      std::string reference = next(4) == 0 ? "/" : "";
      for (std::size_t left = 1 + next(6); left > 0; --left) {
        reference += segments.at(next(segments.size()));
        if (left > 1 || next(5) == 0) reference += '/';
      }
      const char* const base = bases.at(next(bases.size()));
      CAPTURE(std::string{base});
      CAPTURE(reference);
      CHECK(resolved(base, reference + "#f") + "?q" == resolved(base, reference + "?q"));
    }
  }

  TEST_CASE("different spellings of a URL become one") {
    struct Row {
      const char* text;
      const char* normal;
    };
    // clang-format off
    const Row rows[] = {
        {"HTTP://Example.ORG", "http://example.org/"}, {"http://a:80/", "http://a/"},
        {"https://a:443/x", "https://a/x"}, {"http://a:443/x", "http://a:443/x"},
        {"http://a:/x", "http://a/x"}, {"http://a?q", "http://a/?q"},
        {"http://a/%7euser/%41", "http://a/~user/A"}, {"http://a/%2f%3A", "http://a/%2F%3A"},
        {"http://a/b/%2e%2E/c", "http://a/c"}, {"http://a/a b", "http://a/a%20b"},
        {"http://a/100%", "http://a/100%25"}, {"http://a/\xc3\xa9", "http://a/%C3%A9"},
        {"http://a/x?a=%e4 b", "http://a/x?a=%E4%20b"}, {"  http://a/\nb\t ", "http://a/b"},
        {"http://[::1]:8080/x", "http://[::1]:8080/x"}, {"http://a//b", "http://a//b"},
        {"http://[2001:DB8:0::1]/", "http://[2001:db8::1]/"}, {"http://127.1", "http://127.0.0.1/"},
        {"http:/a", "http://a/"}, {"http:///x", "http://x/"}, {"http://a%41/", "http://aa/"},
        {"http://a/[%5b]", "http://a/%5B%5B%5D"}, {"http://a:080/", "http://a/"},
    };
    // clang-format on
    for (const Row& row : rows) {
      CAPTURE(row.text);
      const auto url = crawler::parse_url(row.text);
      REQUIRE(url);
      CHECK(url->text() == row.normal);
      CHECK(crawler::parse_url(url->text()) == url);
    }
  }

  TEST_CASE("what the crawler cannot fetch is no URL") {
    // clang-format off
    const char* const refused[] = {
        "", "index.html", "//a/b", "ftp://a/b", "mailto:a@b", "javascript:void(0)",
        "http:", "http:a", "http://", "http:////x", "http://:80/", "http://a:0/",
        "http://a:65536/", "http://a:b/", "http://user@a/", "http://a b/", "http://a%20b/",
        "http://\xc3\xa9/", "http://[::1/", "http://[]/", "http://[::1%25lo]/",
    };
    // clang-format on
    for (const char* text : refused) {
      CAPTURE(text);
      CHECK_FALSE(crawler::parse_url(text));
    }
    CHECK(resolved("http://a/", "mailto:me@a") == "none");
    CHECK(resolved("http://a/", "javascript:go('x')") == "none");
    CHECK_FALSE(crawler::parse_url("http://a/" + std::string(9000, 'x')));
    CHECK_FALSE(crawler::parse_url("http://a/" + std::string(4000, ' ') + "x"));  // "%20" each
  }

  TEST_CASE("an empty query is a query") {
    CHECK(resolved("http://a/b", "?") == "http://a/b?");
    CHECK(resolved("http://a/b?", "#x") == "http://a/b?");
    CHECK(resolved("http://a/b", "c?") != resolved("http://a/b", "c"));
  }

  TEST_CASE("the location of a page is its path and query") {
    CHECK(crawler::parse_url("http://a:81/b/c.html?d#e")->location == "/b/c.html?d");
  }

  TEST_CASE("a crawl stays on the host and port of its start, below its directory") {
    const crawler::Scope scope{*crawler::parse_url("http://a:8765/docs/index.html")};
    CHECK(scope.directory() == "/docs/");
    for (const char* inside :
         {"http://a:8765/docs/", "http://A:8765/docs/x/y?q", "http://a:8765/docs/../docs/z"}) {
      CAPTURE(inside);
      CHECK(scope.contains(*crawler::parse_url(inside)));
    }
    for (const char* outside :
         {"http://a:8765/", "http://a:8765/docs", "http://a:8765/docs2/x", "http://a/docs/x",
          "https://a:8765/docs/x", "http://b:8765/docs/x", "http://a:8765/docs/../x"}) {
      CAPTURE(outside);
      CHECK_FALSE(scope.contains(*crawler::parse_url(outside)));
    }
  }
}
