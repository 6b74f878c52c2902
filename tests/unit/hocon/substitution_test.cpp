// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md, "Substitutions", "Self-referential substitutions" and the fallback to the environment.
#include "resolved.hpp"

namespace actord::hocon::test {

TEST_SUITE_BEGIN("hocon/substitution");

TEST_CASE("a substitution stands for the final value of its path, of whatever type") {
  check({
      {"a = 1, b = ${a}, a = 2", R"({"a":2,"b":2})"},
      {"b = ${a.x}, a { x = 1 }, a.x = 2", R"({"b":2,"a":{"x":2}})"},
      {"a = [1, {b = 2}], c = ${a}", R"({"a":[1,{"b":2}],"c":[1,{"b":2}]})"},
      {"x = 0, a { x = 1, y = ${x} }", R"({"x":0,"a":{"x":1,"y":0}})"},
      {"a.\"b.c\" = 1, x = ${a.\"b.c\"}", R"({"a":{"b.c":1},"x":1})"},
      {"a = 1, x = ${ a }", R"({"a":1,"x":1})"},
      {"a = 1, x = \"${a}\"", R"({"a":1,"x":"${a}"})"},
      {"a = [5], x = ${?a.0}", R"({"a":[5]})"},
  });
}

TEST_CASE(
    "a substitution without a value is an error that names its place; an optional one vanishes") {
  check({
      {"a = 1\nb = ${nope}", "2:5: the substitution ${nope} has no value"},
      {"b = [1, x ${a.nope}], a {}", "1:11: the substitution ${a.nope} has no value"},
      {"a = ${?nope}", "{}"},
      {"a = 1, a = ${?nope}", R"({"a":1})"},
      {"a = [1, ${?nope}, 2]", R"({"a":[1,2]})"},
      {"a.b = ${?nope}", R"({"a":{}})"},
      {"a = ${?b}, b = ${?nope}, c = ${a}", "1:30: the substitution ${a} has no value"},
  });
}

TEST_CASE("what a later value hides is never evaluated, and an object hides nothing") {
  check({
      {"a = ${nope}, a = 42", R"({"a":42})"},
      {"a = ${nope}, a = [1]", R"({"a":[1]})"},
      {"a = ${nope}, a = null", R"({"a":null})"},
      {"a { b = ${nope} }, a = 1", R"({"a":1})"},
      {"a = \"\", a { b = ${nope} }, a { b = 1 }", R"({"a":{"b":1}})"},
      {"a = ${nope}, a { b = 1 }", "1:5: the substitution ${nope} has no value"},
      {"a = ${a}, a = 1", R"({"a":1})"},
  });
}

TEST_CASE("a self reference sees only the definitions below it") {
  check({
      {"a = 1, a = ${a}x, a = ${a}y, a = ${a}z", R"({"a":"1xyz"})"},
      {"a = [1], a = ${a} [2]", R"({"a":[1,2]})"},
      {"a = ${?a}foo", R"({"a":"foo"})"},
      {"a = ${?a}", "{}"},
      {"a.b = 1, a.b = ${a.b}x", R"({"a":{"b":"1x"}})"},
      {"a { b = 5 }, a = ${a}, a { c = 6 }", R"({"a":{"b":5,"c":6}})"},
      {"foo { a { c = 1 } }, foo = ${foo.a}, foo { a = 2 }", R"({"foo":{"a":2,"c":1}})"},
      {"a { k = 1 }, a = ${a} { x = ${a} }", R"({"a":{"k":1,"x":{"k":1}}})"},
      {"a = 1, b = ${a}, a = ${b}", R"({"a":1,"b":1})"},
      {"b = ${a}, a = 1, a = ${b}", R"({"b":1,"a":1})"},
      {"a = 1, b = 2, a = ${b}, b = ${a}", R"({"a":1,"b":1})"},
  });
}

TEST_CASE("a definition that refers to itself by way of another object sees what lies below it") {
  // The order of the two keys does not matter.
  check({
      {"d { a = ${i.b} }, i.b = 7, i = ${d}", R"({"d":{"a":7},"i":{"b":7,"a":7}})"},
      {"i.b = 7, i = ${d}, d { a = ${i.b} }", R"({"i":{"b":7,"a":7},"d":{"a":7}})"},
      {"d { a = ${i.b}, b = 1 }, i = ${d}", R"({"d":{"a":1,"b":1},"i":{"a":1,"b":1}})"},
      {"i = ${d}, d { a = ${i.b}, b = 1 }", R"({"i":{"a":1,"b":1},"d":{"a":1,"b":1}})"},
  });
}

TEST_CASE("objects may refer into themselves and into each other") {
  check({
      {"a { x = 42, y = ${a.x} }", R"({"a":{"x":42,"y":42}})"},
      {"a { x = 42, y = ${a.x} }, a.x = 43", R"({"a":{"x":43,"y":43}})"},
      {"a { p = ${b.d}, q = 1 }, a.q = 3, b { c = ${a.q}, d = 2 }, b.d = 4",
       R"({"a":{"p":4,"q":3},"b":{"c":3,"d":4}})"},
      {"m { h = 1 }, a = ${m} { e { x = 12 }, y = ${a.e.x} }",
       R"({"m":{"h":1},"a":{"h":1,"e":{"x":12},"y":12}})"},
  });
}

TEST_CASE("a list or object cannot contain itself") {
  for (const char* text :
       {"a = 1, a = [${a}, 2]", "a = 1, a { x = ${a} }", "a = [${a}]", "a { b = ${a} }",
        "a { b { c = ${a} } }", "a { b = ${c} }, c = ${a}", "a = [{ x = ${a} }]"}) {
    CAPTURE(std::string(text));
    const std::string found = resolved(text);
    CHECK(found.ends_with("depends on itself"));
  }
}

TEST_CASE("a circle with one hard link is an error, one of optional links only vanishes") {
  check({
      {"a = ${a}", "1:5: the substitution ${a} depends on itself"},
      {"a = ${b}, b = ${a}", "1:15: the substitution ${a} depends on itself"},
      {"a = ${b}\nb = ${c}\nc = ${a}", "3:5: the substitution ${a} depends on itself"},
      {"a = ${?b}, b = ${?c}, c = ${?a}", "{}"},
      {"a { b = ${?c} }, c { d = ${?a} }", R"({"a":{"b":{}},"c":{}})"},
      {"a { b = ${?a}, c = 1 }", R"({"a":{"c":1}})"},
      {"a = ${b}, b = ${c.d}, c { d = ${a} }, c.d = 57", R"({"a":57,"b":57,"c":{"d":57}})"},
  });
}

TEST_CASE("the note of a circle shows which key needs which") {
  Source source;
  source.add_text("t", "a = ${b.c}\nb.c = ${a}");
  const auto tree = source.resolve();
  REQUIRE_FALSE(tree);
  CHECK(tree.error().front().note == "a needs b.c needs a");
}

TEST_CASE("the expression must be a path, with the question mark at the brace") {
  check({
      {"a = 1, b = ${? a}", R"({"a":1,"b":1})"},
      {"b = ${ ?a}", "1:8: a `?` in a substitution must follow the brace at once"},
      {"b = ${a", "1:5: a substitution that is not closed"},
      {"b = ${a\n}", "1:5: a substitution that is not closed"},
      {"b = ${${a}}", "1:7: a substitution cannot contain another one"},
      {"b = ${a#c\n}", "1:5: a substitution that is not closed"},
      {"b = ${a*}", "1:8: the character \"*\" must be quoted"},
  });
  for (const char* text : {"b = ${}", "b = ${ }", "b = ${.}", "b = ${a.}", "b = ${a..b}"}) {
    CAPTURE(std::string(text));
    CHECK(resolved(text).starts_with("1:5: no path in a substitution"));
  }
}

TEST_CASE(
    "the environment answers last, always with a string, and never when the configuration says "
    "null") {
  const std::map<std::string, std::string> environment = {{"HOME", "/h"},  {"EMPTY", ""},
                                                          {"NUMBER", "1"}, {"TEXT", "${a} # [x]"},
                                                          {"L.0", "p"},    {"L.1", "q"}};
  const Row rows[] = {
      {"a = ${HOME}", R"({"a":"/h"})"},
      {"HOME = here, a = ${HOME}", R"({"HOME":"here","a":"here"})"},
      {"HOME = null, a = ${HOME}", R"({"HOME":null,"a":null})"},
      {"a = 1, a = ${?EMPTY}", R"({"a":""})"},
      {"a = ${NUMBER}, b = ${TEXT}", R"({"a":"1","b":"${a} # [x]"})"},
      {"a = ${?home}", "{}"},
      {"a = ${L.1}, b = ${L}", R"({"a":"q","b":["p","q"]})"},
      {"a = ${NOPE}", "1:5: the substitution ${NOPE} has no value"},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(row.text));
    CHECK(resolved(row.text, environment) == row.expected);
  }
}

TEST_CASE("a missing key is answered with the one that was probably meant") {
  const auto help_of = [](const char* text) {
    Source source;
    source.add_text("t", text);
    const auto tree = source.resolve();
    REQUIRE_FALSE(tree);
    return tree.error().front().help;
  };
  CHECK(help_of("server { timeout = 1 }, a = ${server.timeot}") ==
        "did you mean ${server.timeout}?");
  CHECK(help_of("pw = 1, a = ${p}") == "did you mean ${pw}?");
  CHECK(help_of("q = 1, a = ${p}") == "write ${?p} if it may be missing");
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
