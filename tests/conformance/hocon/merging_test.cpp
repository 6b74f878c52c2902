// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md: duplicate keys and object merging; config object merging and file merging.
#include "hocon/render.hpp"
#include "hocon/source.hpp"
#include "hocon_reading.hpp"

namespace actord::hocon::conformance {

namespace {

/// The JSON of a source with overrides and strings laid upon it.
std::string json_of(Source& source) {
  const auto tree = source.resolve();
  return tree ? render_json(tree->root(), false) : format(tree.error());
}

}  // namespace

TEST_SUITE_BEGIN("hocon/merging");

// ---- duplicate keys -----------------------------------------------------------------------------

TEST_CASE("HOCON duplicate keys: the later of two values is the value") {
  reads("a = 1, b = 2, a = 3", R"({"a":3,"b":2})");
}

TEST_CASE("HOCON duplicate keys: two objects become one with the fields of both") {
  reads("a { x = 1 }, a { y = 2 }", R"({"a":{"x":1,"y":2}})");
}

TEST_CASE("HOCON duplicate keys: of a field in both objects the later one is taken") {
  reads("a { x = 1, y = 1 }, a { y = 2 }", R"({"a":{"x":1,"y":2}})");
}

TEST_CASE("HOCON duplicate keys: objects merge at every depth") {
  reads("a { b { c { x = 1 } } }, a { b { c { y = 2 }, d = 3 } }",
        R"({"a":{"b":{"c":{"x":1,"y":2},"d":3}}})");
}

TEST_CASE("HOCON duplicate keys: three and more objects merge in turn") {
  reads("a { x = 1 }, a { y = 2 }, a { x = 3, z = 4 }", R"({"a":{"x":3,"y":2,"z":4}})");
}

TEST_CASE("HOCON duplicate keys: an object replaces a value that is none") {
  reads("a = 1, a { x = 2 }", R"({"a":{"x":2}})");
}

TEST_CASE("HOCON duplicate keys: a value that is no object replaces an object") {
  reads("a { x = 1 }, a = 2", R"({"a":2})");
}

TEST_CASE("HOCON duplicate keys: null between two objects keeps them apart") {
  reads("a { x = 1 }, a = null, a { y = 2 }", R"({"a":{"y":2}})");
}

TEST_CASE("HOCON duplicate keys: any other value between two objects keeps them apart, too") {
  reads("a { x = 1 }, a = 1, a { y = 2 }", R"({"a":{"y":2}})");
  reads("a { x = 1 }, a = [], a { y = 2 }", R"({"a":{"y":2}})");
  reads("a { x = 1 }, a = s, a { y = 2 }", R"({"a":{"y":2}})");
}

TEST_CASE("HOCON duplicate keys: what follows the two objects is not merged with the first") {
  reads("a { x = 1 }, a = 1, a { y = 2 }, a { z = 3 }", R"({"a":{"y":2,"z":3}})");
}

TEST_CASE("HOCON duplicate keys: lists do not merge") {
  reads("a = [1, 2, 3], a = [4]", R"({"a":[4]})");
  reads("a = [{ x = 1 }], a = [{ y = 2 }]", R"({"a":[{"y":2}]})");
}

TEST_CASE("HOCON duplicate keys: null replaces, and is replaced") {
  reads("a = 1, a = null", R"({"a":null})");
  reads("a = null, a = 1", R"({"a":1})");
}

TEST_CASE("HOCON duplicate keys: an empty object takes nothing away") {
  reads("a { x = 1 }, a {}", R"({"a":{"x":1}})");
}

TEST_CASE("HOCON duplicate keys: a key is the same quoted or not") {
  reads(R"(a { x = 1 }, "a" { y = 2 })", R"({"a":{"x":1,"y":2}})");
}

TEST_CASE("HOCON duplicate keys: keys differ by the case of their letters") {
  reads("a = 1, A = 2", R"({"a":1,"A":2})");
}

TEST_CASE("HOCON duplicate keys: objects merge inside one pair of braces and across two") {
  reads("r { a { x = 1 }, a { y = 2 } }, r { a { z = 3 } }", R"({"r":{"a":{"x":1,"y":2,"z":3}}})");
}

TEST_CASE("HOCON duplicate keys: an object merges with the one that a substitution stands for") {
  reads("b { x = 1, y = 1 }, a = ${b}, a { y = 2 }", R"({"b":{"x":1,"y":1},"a":{"x":1,"y":2}})");
}

TEST_CASE(
    "HOCON duplicate keys: an object that a substitution stands for merges into the one before") {
  reads("b { x = 1 }, a { y = 2, x = 2 }, a = ${b}", R"({"b":{"x":1},"a":{"y":2,"x":1}})");
}

TEST_CASE("HOCON duplicate keys: a substitution for no object keeps two objects apart") {
  reads("b = 1, a { x = 1 }, a = ${b}, a { y = 2 }", R"({"b":1,"a":{"y":2}})");
}

TEST_CASE("HOCON duplicate keys: within an element of a list they merge, too") {
  reads("a = [{ b { x = 1 }, b { y = 2 } }]", R"({"a":[{"b":{"x":1,"y":2}}]})");
}

// ---- layers -------------------------------------------------------------------------------------

TEST_CASE("HOCON layers: a later one is laid upon an earlier one as duplicate keys are") {
  reads_layers({{"1.conf", "a { x = 1, y = 1 }, l = [1]"}, {"2.conf", "a { y = 2 }, l = [2]"}}, 2,
               R"({"a":{"x":1,"y":2},"l":[2]})");
}

TEST_CASE("HOCON layers: the nearest non-object hides the objects below it") {
  reads_layers({{"1", "a { y = 2 }"}, {"2", "a = 42"}, {"3", "a { x = 1 }"}}, 3,
               R"({"a":{"x":1}})");
}

TEST_CASE("HOCON layers: objects that lie next to each other merge over a hidden value") {
  reads_layers({{"1", "a = 42"}, {"2", "a { y = 2 }"}, {"3", "a { x = 1 }"}}, 3,
               R"({"a":{"y":2,"x":1}})");
}

TEST_CASE("HOCON layers: a substitution sees what a later layer says") {
  reads_layers({{"1", "a = 1, b = ${a}"}, {"2", "a = 2"}}, 2, R"({"a":2,"b":2})");
}

TEST_CASE("HOCON layers: a substitution sees what an earlier layer says") {
  reads_layers({{"1", "a { x = 1 }"}, {"2", "b = ${a.x}"}}, 2, R"({"a":{"x":1},"b":1})");
}

TEST_CASE("HOCON layers: a key builds on its own value in the layer below") {
  reads_layers({{"1", "p = x"}, {"2", "p = ${p}y"}, {"3", "p = ${p}z"}}, 3, R"({"p":"xyz"})");
}

TEST_CASE("HOCON layers: += adds to the list of the layer below") {
  reads_layers({{"1", "a.l = [1]"}, {"2", "a.l += 2"}}, 2, R"({"a":{"l":[1,2]}})");
}

TEST_CASE("HOCON layers: null in a later layer is the value") {
  reads_layers({{"1", "a { x = 1 }"}, {"2", "a = null"}}, 2, R"({"a":null})");
}

TEST_CASE("HOCON layers: each is parsed by itself: its braces must be balanced") {
  Source source;
  source.add_text("1", "a {");
  source.add_text("2", "}");
  const auto tree = source.resolve();
  REQUIRE_FALSE(tree.ok());
  CHECK(tree.error().size() == 2);
}

TEST_CASE("HOCON layers: an override is a field of HOCON upon everything before") {
  Source source;
  source.add_text("t", "a { b = 1, l = [1] }");
  source.add_override("a.b = 5 s");
  source.add_override("a.l += 2");
  source.add_override("a.c { d = ${a.b} }");
  CHECK(json_of(source) == R"({"a":{"b":"5 s","l":[1,2],"c":{"d":"5 s"}}})");
}

TEST_CASE("HOCON layers: a string that is laid upon a key is taken as it is") {
  Source source;
  source.add_text("t", "a { b = 1, c = 2 }");
  source.add_string("a.b", "${x} # \"[", "environment");
  source.add_string("a.\"d.e\"", "true", "environment");
  CHECK(json_of(source) == R"({"a":{"b":"${x} # \"[","c":2,"d.e":"true"}})");
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
