// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md, "Path expressions" and "Paths as keys".
#include "hocon/key_path.hpp"
#include "resolved.hpp"

namespace actord::hocon::test {

TEST_SUITE_BEGIN("hocon/key_path");

TEST_CASE("dots outside quotes make a key a path") {
  check({
      {"a.b = 1", R"({"a":{"b":1}})"},
      {"\"a.b\" = 1", R"({"a.b":1})"},
      {"a.\"b.c\".d = 1", R"({"a":{"b.c":{"d":1}}})"},
      {"a.\"\".b = 1", R"({"a":{"":{"b":1}}})"},
      {"a\"b\".c = 1", R"({"ab":{"c":1}})"},
      {"\"\"\"a.b\"\"\" = 1", R"({"a.b":1})"},
  });
}

TEST_CASE("numbers and words keep their text in a key") {
  check({
      {"1.2.3 = x", R"({"1":{"2":{"3":"x"}}})"},
      {"10.0foo = x", R"({"10":{"0foo":"x"}})"},
      {"true = 1, null = 2, 1e5 = 3", R"({"true":1,"null":2,"1e5":3})"},
      {"1.50 = 1", R"({"1":{"50":1}})"},
  });
}

TEST_CASE("blanks inside a key belong to it, around it they do not") {
  check({
      {" a b  c = 1", R"({"a b  c":1})"},
      {" a . b = 1", R"({"a ":{" b":1}})"},
      {"\"a\" \"b\" = 1", R"({"a b":1})"},
      {"a \n = 1", R"({"a":1})"},
  });
}

TEST_CASE("an empty element must be quoted") {
  constexpr const char* message = "a key must not begin or end with a dot, nor have two in a row";
  for (const char* text : {"a. = 1", ".a = 1", "a..b = 1", ". = 1", "\"\". = 1"}) {
    CAPTURE(std::string(text));
    CHECK(resolved(text) == std::string("1:1: ").append(message));
  }
  CHECK(resolved("\"\" = 1") == R"({"":1})");
}

TEST_CASE("a path is read and written the same way") {
  CHECK(parse_path("a.b.\"c.d\"") == std::vector<std::string>{"a", "b", "c.d"});
  CHECK_FALSE(parse_path("a..b"));
  CHECK_FALSE(parse_path(""));
  CHECK_FALSE(parse_path("a=b"));
  CHECK_FALSE(parse_path("a.\xff"));
  CHECK(quoted_key("a-b_c/d") == "a-b_c/d");
  CHECK(quoted_key("a.b") == "\"a.b\"");
  CHECK(quoted_key("") == "\"\"");
  CHECK(quoted_key("a b") == "\"a b\"");
  CHECK(quoted_key("été") == "été");
  CHECK(quoted_key("a//b") == "\"a//b\"");  // unquoted, this would be a comment
  CHECK(quoted_key("\u00a0") == "\"\u00a0\"");
  CHECK(quoted_key("\ufeffx") == "\"\ufeffx\"");
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
