// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md, "Duplicate keys": what a later definition does to an earlier one.
#include "resolved.hpp"

namespace actord::hocon::test {

TEST_SUITE_BEGIN("hocon/merge");

TEST_CASE("a later value replaces an earlier one, and two objects merge") {
  check({
      {"a = 1, a = 2", R"({"a":2})"},
      {"a { x = 1, y = 2 }, a { x = 3, z = 4 }", R"({"a":{"x":3,"y":2,"z":4}})"},
      {"a.b.c = 1, a { b { d = 2 } }", R"({"a":{"b":{"c":1,"d":2}}})"},
      {"a = [1], a = [2]", R"({"a":[2]})"},
      {"a { b = 1 }, a = 2", R"({"a":2})"},
      {"a = 2, a { b = 1 }", R"({"a":{"b":1}})"},
  });
}

TEST_CASE("whatever stands between two objects keeps them apart") {
  check({
      {"a { b = 1 }, a = null, a { c = 2 }", R"({"a":{"c":2}})"},
      {"a { b = 1 }, a = [], a { c = 2 }", R"({"a":{"c":2}})"},
      {"a { b = 1 }, a = ${x}, a { c = 2 }, x = 0", R"({"a":{"c":2},"x":0})"},
      {"a { b = 1 }, a = ${x}, a { c = 2 }, x { d = 3 }",
       R"({"a":{"b":1,"d":3,"c":2},"x":{"d":3}})"},
      {"a { b = 1 }, a = ${?x}, a { c = 2 }", R"({"a":{"b":1,"c":2}})"},
  });
}

TEST_CASE("members stand in the order of their first definition") {
  check({{"b = 1, a = 2, b = 3, c { z = 1 }, c { y = 1, z = 2 }",
          R"({"b":3,"a":2,"c":{"z":2,"y":1}})"}});
}

TEST_CASE("objects that substitutions bring merge like written ones") {
  check({
      {"b { y = 2, z = 5 }, c = ${b}, c { z = 42 }", R"({"b":{"y":2,"z":5},"c":{"y":2,"z":42}})"},
      {"b { y = 2 }, a { x = 1 }, c = ${b}, c = ${a}",
       R"({"b":{"y":2},"a":{"x":1},"c":{"y":2,"x":1}})"},
      {"a { x { p = 1 } }, b = ${a}, b.x.q = 2", R"({"a":{"x":{"p":1}},"b":{"x":{"p":1,"q":2}}})"},
      {"a { x = 1 }, b = ${a} { y = 2 }, a.x = 5", R"({"a":{"x":5},"b":{"x":5,"y":2}})"},
  });
}

TEST_CASE("an object of very many members is merged and found by key") {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += "o { k" + std::to_string(i) + " = " + std::to_string(i) + " }\n";
  Source source;
  source.add_text("t", text + "x = ${o.k2999}");
  const auto tree = source.resolve();
  REQUIRE(tree);
  CHECK(tree->find("o").size() == 3000);
  CHECK(tree->find("o.k1234").text() == "1234");
  CHECK(tree->find("x").text() == "2999");
  CHECK_FALSE(tree->find("o.k3000"));
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
