// SPDX-License-Identifier: Apache-2.0
#include "actor/path.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace actord::actor {

TEST_SUITE_BEGIN("actor/path");

TEST_CASE("names are made of letters, digits, some marks and escapes") {
  for (const char* name :
       {"a",   "fetcher-1", "Site", "0",       "a.b", "x_y",        "a*b",
        "a$b", "p+q",       "k:v",  "me@host", "a&b", "a=b",        "a,b",
        "!",   "~a",        "it's", "a;b",     "%20", "%c3%A4rger", "-_.*+:@&=,!~';"}) {
    CAPTURE(name);
    CHECK(why_name_is_invalid(name).empty());
  }
}

TEST_CASE("the error for a refused name says why, with the character and its place") {
  struct Row {
    const char* name;
    const char* part;
  };
  for (const Row& row :
       {Row{"", "must not be empty"}, Row{"$a", "must not start with '$'"},
        Row{"a/b", "invalid character '/' at position 1"},
        Row{"aü", "invalid character 'ü' at position 1"}, Row{"a b", "' ' at position 1"},
        Row{"ab#", "'#' at position 2"}, Row{"a%2", "'%' at position 1"},
        Row{"a%zz", "'%' at position 1"}, Row{"%", "'%' at position 0"},
        Row{"[x]", "'[' at position 0"}, Row{".", "must not be"},
        Row{"..", "means something else in a path"}, Row{"*", "must not be \"*\""},
        Row{"**", "means something else"}, Row{"***", "means something else"},
        Row{"a\\b", "at position 1"}, Row{"\xc3\xa4", "at position 0"}}) {
    CAPTURE(row.name);
    const std::string why = why_name_is_invalid(row.name);
    CAPTURE(why);
    CHECK(why.find(row.part) != std::string::npos);
  }
}

TEST_CASE("a name has at most 255 bytes") {
  CHECK(why_name_is_invalid(std::string(255, 'a')).empty());
  CHECK(why_name_is_invalid(std::string(256, 'a')) ==
        "an actor's name must not have more than 255 bytes; this one has 256");
}

TEST_CASE("generated names are $a, $b, … $z, $A, … with two characters after the 64th") {
  CHECK(numbered_name(0) == "$a");
  CHECK(numbered_name(1) == "$b");
  CHECK(numbered_name(25) == "$z");
  CHECK(numbered_name(26) == "$A");
  CHECK(numbered_name(51) == "$Z");
  CHECK(numbered_name(52) == "$0");
  CHECK(numbered_name(61) == "$9");
  CHECK(numbered_name(62) == "$+");
  CHECK(numbered_name(63) == "$~");
  CHECK(numbered_name(64) == "$ab");
  CHECK(numbered_name(65) == "$bb");
  std::set<std::string> names;
  for (std::uint64_t i = 0; i < 10'000; ++i) names.insert(numbered_name(i));
  CHECK(names.size() == 10'000);
}

TEST_CASE("a name in the form of generated names is refused") {
  for (const std::uint64_t number : {0, 63, 64, 100'000}) {
    CHECK_FALSE(why_name_is_invalid(numbered_name(number)).empty());
  }
}

TEST_CASE("two segments meet if one name can match both") {
  struct Row {
    const char* a;
    const char* b;
    bool meet;
  };
  for (const Row& row : {Row{"a", "a", true}, Row{"a", "b", false}, Row{"*", "b", true},
                         Row{"a*", "*b", true}, Row{"a*", "b*", false}, Row{"a*b", "a?b", true},
                         Row{"a?", "a", false}, Row{"?", "??", false}, Row{"*x*", "*y*", true},
                         Row{"x*", "*y*z", true}, Row{"a*c", "ab", false}, Row{"", "*", true},
                         Row{"*a*a*a*a*a*a*a*a*a*a*b", "*a*a*a*a*a*a*a*a*a*a*c", false}}) {
    CAPTURE(row.a);
    CAPTURE(row.b);
    CHECK(segments_meet(row.a, row.b) == row.meet);
    CHECK(segments_meet(row.b, row.a) == row.meet);
  }
}

TEST_CASE("in a pattern a star stands for any characters of one segment, ? for one of them") {
  struct Row {
    const char* pattern;
    const char* path;
    bool matches;
  };
  for (const Row& row : {Row{"/user/crawler", "/user/crawler", true},
                         Row{"/user/crawler", "/user/crawler2", false},
                         Row{"/user/crawler", "/user", false},
                         Row{"/user/crawler", "/user/crawler/a", false},
                         Row{"/user/*", "/user/a", true},
                         Row{"/user/*", "/user/a/b", false},
                         Row{"/user/*", "/user", false},
                         Row{"/user/*/b", "/user/a/b", true},
                         Row{"/user/*/b", "/user/a/c", false},
                         Row{"/*/*", "/user/a", true},
                         Row{"/user/a*", "/user/ab", true},
                         Row{"/user/a*", "/user/a", true},
                         Row{"/user/a*", "/user/ba", false},
                         Row{"/user/*a", "/user/aba", true},
                         Row{"/user/*a", "/user/ab", false},
                         Row{"/user/a*c*e", "/user/abcde", true},
                         Row{"/user/a*c*e", "/user/abde", false},
                         Row{"/user/*b*", "/user/abc", true},
                         Row{"/user/a?c", "/user/abc", true},
                         Row{"/user/a?c", "/user/ac", false},
                         Row{"/user/a?", "/user/abc", false},
                         Row{"/user/??", "/user/ab", true},
                         Row{"/user/a*", "/user/a/b", false},
                         Row{"/user/a*/b", "/user/ax/b", true},
                         Row{"/user/a*b", "/user/a*b", true},
                         Row{"/user/$a", "/user/$a", true}}) {
    CAPTURE(row.pattern);
    CAPTURE(row.path);
    CHECK(path_matches(row.pattern, row.path) == row.matches);
  }
}

TEST_CASE("two stars at the end of a pattern stand for one or more segments") {
  struct Row {
    const char* pattern;
    const char* path;
    bool matches;
  };
  for (const Row& row :
       {Row{"/user/**", "/user/a", true}, Row{"/user/**", "/user/a/b/c", true},
        Row{"/user/**", "/user", false}, Row{"/user/a/**", "/user/a", false},
        Row{"/user/a/**", "/user/a/b", true}, Row{"/user/a/**", "/user/b/b", false},
        Row{"/user/*/**", "/user/a", false}, Row{"/user/*/**", "/user/a/b/c", true}}) {
    CAPTURE(row.pattern);
    CAPTURE(row.path);
    CHECK(path_matches(row.pattern, row.path) == row.matches);
  }
}

TEST_CASE("a path leads on from a base, with dots and double dots resolved") {
  struct Row {
    const char* base;
    const char* path;
    const char* leads_to;
  };
  for (const Row& row : {Row{"/user/a", "b", "/user/a/b"}, Row{"/user/a", "../b/./c", "/user/b/c"},
                         Row{"/user/a", "/system/log", "/system/log"},
                         Row{"/user/a", "", "/user/a"}, Row{"/user/a", "../../../..", "/"},
                         Row{"/", "user", "/user"}, Row{"/user/a", "//b//", "/b"},
                         Row{"/user/a", "..", "/user"}, Row{"/user/a", "/user/../*", "/*"}}) {
    CAPTURE(row.base);
    CAPTURE(row.path);
    CHECK(absolute_path(row.base, row.path) == row.leads_to);
  }
}

TEST_SUITE_END();

}  // namespace actord::actor
