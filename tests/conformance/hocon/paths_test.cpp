// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md: path expressions, paths as keys.
#include "hocon_reading.hpp"

namespace actord::hocon::conformance {

TEST_SUITE_BEGIN("hocon/paths");

// ---- path expressions ---------------------------------------------------------------------------

TEST_CASE("HOCON path expressions: dots outside quotes part the elements") {
  reads("a.b.c = 1", R"({"a":{"b":{"c":1}}})");
}

TEST_CASE("HOCON path expressions: dots inside quotes belong to the element") {
  reads(R"(a."b.c".d = 1, e = ${a."b.c".d})", R"({"a":{"b.c":{"d":1}},"e":1})");
}

TEST_CASE("HOCON path expressions: a quoted piece joins the element it stands in") {
  reads(R"(a"b.c"d = 1, "e"f.g"h" = 2)", R"({"ab.cd":1,"ef":{"gh":2}})");
}

TEST_CASE("HOCON path expressions: the dot of a number parts elements") {
  reads("3.14 = 1, 10.0foo = 2, foo10.0 = 3", R"({"3":{"14":1},"10":{"0foo":2},"foo10":{"0":3}})");
}

TEST_CASE("HOCON path expressions: a quoted number keeps its dot") {
  reads(R"("3.14" = 1, foo"10.0" = 2)", R"({"3.14":1,"foo10.0":2})");
}

TEST_CASE("HOCON path expressions: a number keeps the text it was written with") {
  reads("1e5 = 1, 007 = 2, -1 = 3, 1.50 = 4", R"({"1e5":1,"007":2,"-1":3,"1":{"50":4}})");
}

TEST_CASE("HOCON path expressions: booleans and null are text") {
  reads("true = 1, null.false = 2, x = ${null.false}", R"({"true":1,"null":{"false":2},"x":2})");
}

TEST_CASE("HOCON path expressions: blanks inside an element belong to it") {
  reads("a b c = 1, d  e.f g = 2", R"({"a b c":1,"d  e":{"f g":2}})");
}

TEST_CASE("HOCON path expressions: blanks around the whole do not count, those around dots do") {
  reads("  a . b  = 1", R"({"a ":{" b":1}})");
}

TEST_CASE("HOCON path expressions: a substitution's path follows the same rules") {
  reads(R"(a b.c = 1
"d.e" = 2
x = ${ a b.c }, y = ${"d.e"})",
        R"({"a b":{"c":1},"d.e":2,"x":1,"y":2})");
}

TEST_CASE("HOCON path expressions: an empty element must be quoted") {
  reads(R"(a."".b = 1, x = ${a."".b}, "" = 2)", R"({"a":{"":{"b":1}},"x":1,"":2})");
  reads(R"(""."" = 1)", R"({"":{"":1}})");
}

TEST_CASE("HOCON path expressions: two dots in a row are an error") {
  refuses("a..b = 1", "1:1", "two in a row");
  refuses("x = ${a..b}", "1:5", "path");
}

TEST_CASE("HOCON path expressions: a dot at the beginning or at the end is an error") {
  refuses(".a = 1", "1:1", "dot");
  refuses("a. = 1", "1:1", "dot");
  refuses(". = 1", "1:1", "dot");
  refuses("x = ${.a}", "1:5", "path");
  refuses("x = ${a.}", "1:5", "path");
}

TEST_CASE("HOCON path expressions: a blank alone between two dots is an element") {
  reads("a. .b = 1", R"({"a":{" ":{"b":1}}})");
}

TEST_CASE("HOCON path expressions: a substitution cannot stand in a key") {
  refuses("a = 1, ${a} = 2", "1:8", "key");
  refuses("a = 1, b${a} = 2", "1:9", "key cannot contain a substitution");
}

TEST_CASE("HOCON path expressions: a substitution cannot stand in a substitution") {
  refuses("a = b, b = 1\nx = ${${a}}", "2:7", "substitution");
  refuses("a = b, b = 1\nx = ${c.${a}}", "2:9", "substitution");
}

TEST_CASE("HOCON path expressions: forbidden characters in a path must be quoted") {
  refuses("a?b = 1", "1:2", "must be quoted");
  refuses("a*b.c = 1", "1:2", "must be quoted");
  refuses("x = ${a@b}", "1:8", "must be quoted");
  reads(R"("a?b"."c*" = 1, x = ${"a?b"."c*"})", R"({"a?b":{"c*":1},"x":1})");
}

TEST_CASE("HOCON path expressions: a triple-quoted piece is a piece") {
  reads("\"\"\"a\"b.c\"\"\".d = 1", R"({"a\"b.c":{"d":1}})");
}

// ---- paths as keys ------------------------------------------------------------------------------

TEST_CASE("HOCON paths as keys: foo.bar = 42 is foo { bar = 42 }") {
  reads("foo.bar : 42", R"({"foo":{"bar":42}})");
  reads("foo { bar : 42 }", R"({"foo":{"bar":42}})");
}

TEST_CASE("HOCON paths as keys: each element but the last is an object") {
  reads("foo.bar.baz : 42", R"({"foo":{"bar":{"baz":42}}})");
}

TEST_CASE("HOCON paths as keys: paths with a common beginning merge") {
  reads("a.x = 1, a.y = 2, a.z.w = 3", R"({"a":{"x":1,"y":2,"z":{"w":3}}})");
}

TEST_CASE("HOCON paths as keys: a path merges with an object in braces, either way round") {
  reads("a { x = 1 }, a.y = 2", R"({"a":{"x":1,"y":2}})");
  reads("a.y = 2, a { x = 1 }", R"({"a":{"y":2,"x":1}})");
}

TEST_CASE("HOCON paths as keys: a path may lead to an object in braces") {
  reads("a.b { c.d = 1 }, a.b.c { e = 2 }", R"({"a":{"b":{"c":{"d":1,"e":2}}}})");
}

TEST_CASE("HOCON paths as keys: the later of two values at one path is the value") {
  reads("a.b = 1, a.b = 2", R"({"a":{"b":2}})");
}

TEST_CASE("HOCON paths as keys: a value at the path's beginning replaces what was below") {
  reads("a.b = 1, a = 2", R"({"a":2})");
}

TEST_CASE("HOCON paths as keys: a longer path replaces a value on its way") {
  reads("a = 1, a.b = 2", R"({"a":{"b":2}})");
  reads("a.b = [1], a.b.c = 2", R"({"a":{"b":{"c":2}}})");
}

TEST_CASE("HOCON paths as keys: they are relative to the object they stand in") {
  reads("r { a.b = 1 }, s = [{ a.b = 2 }]", R"({"r":{"a":{"b":1}},"s":[{"a":{"b":2}}]})");
}

TEST_CASE("HOCON paths as keys: a quoted key with dots is one key beside the path") {
  reads(R"(a.b = 1, "a.b" = 2)", R"({"a":{"b":1},"a.b":2})");
}

TEST_CASE("HOCON paths as keys: a key of several words is one key") {
  reads("a b c : 42", R"({"a b c":42})");
}

TEST_CASE("HOCON paths as keys: include begins no key, unless it is quoted") {
  reads(R"("include" = 42)", R"({"include":42})");
  refuses("include = 42", "1:9", "include");
}

TEST_CASE("HOCON paths as keys: include elsewhere in a key is a word") {
  reads("foo include = 1, a.include = 2, includes = 3",
        R"({"foo include":1,"a":{"include":2},"includes":3})");
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
