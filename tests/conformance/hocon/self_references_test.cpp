// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md: self-referential substitutions, the += field separator, and the examples of both.
#include "hocon_reading.hpp"

namespace actord::hocon::conformance {

TEST_SUITE_BEGIN("hocon/self_references");

// ---- self-references ----------------------------------------------------------------------------

TEST_CASE("HOCON self-references: a key's new value may build on the one before") {
  reads("path = \"a:b\", path = ${path}\":c\"", R"({"path":"a:b:c"})");
}

TEST_CASE("HOCON self-references: any number of definitions build on each other") {
  reads("a = 1, a = ${a}x, a = ${a}y, a = ${a}z", R"({"a":"1xyz"})");
}

TEST_CASE("HOCON self-references: a list grows at either end") {
  reads("l = [2], l = ${l} [3], l = [1] ${l}", R"({"l":[1,2,3]})");
}

TEST_CASE("HOCON self-references: an object is extended") {
  reads("o { x = 1 }, o = ${o} { y = 2 }", R"({"o":{"x":1,"y":2}})");
}

TEST_CASE("HOCON self-references: one may stand twice") {
  reads("a = x, a = ${a}${a}, a = ${a}-${a}", R"({"a":"xx-xx"})");
}

TEST_CASE("HOCON self-references: one without a value before it is an error") {
  refuses("a = ${a}x", "1:5", "depends on itself");
  refuses("a = ${a} [1]", "1:5", "depends on itself");
}

TEST_CASE("HOCON self-references: an optional one without a value before it is nothing") {
  reads("a = ${?a}foo, l = ${?l} [1], o = ${?o} { x = 1 }", R"({"a":"foo","l":[1],"o":{"x":1}})");
}

TEST_CASE("HOCON self-references: an optional one alone without a value before it leaves no key") {
  reads("a = ${?a}, b = 1", R"({"b":1})");
}

TEST_CASE("HOCON self-references: one alone repeats the value before") {
  reads("a = 1, a = ${a}, b { x = 1 }, b = ${b}", R"({"a":1,"b":{"x":1}})");
}

TEST_CASE("HOCON self-references: one by a path works like one by a key") {
  reads("a { b = 1 }, a.b = ${a.b}x, a { b = ${a.b}y }", R"({"a":{"b":"1xy"}})");
}

TEST_CASE("HOCON self-references: the others see the last value, not the one before") {
  reads("a = 1, b = ${a}, a = ${a}x, c = ${a}", R"({"a":"1x","b":"1x","c":"1x"})");
}

TEST_CASE("HOCON self-references: one by way of another key is one") {
  reads("bar = 1, foo = ${bar}x, bar = ${foo}y", R"({"bar":"1xy","foo":"1x"})");
}

TEST_CASE("HOCON self-references: two keys that build on each other have one value everywhere") {
  reads("a = 1, b = 2, a = ${b}, b = ${a}", R"({"a":1,"b":1})");
}

TEST_CASE("HOCON self-references: a value hidden by a later one is not built on") {
  reads("a = 1, a = ${a}x, a = 2, a = ${a}y", R"({"a":"2y"})");
}

TEST_CASE("HOCON self-references: an object's own inside may replace it") {
  reads("foo { a { c = 1 } }, foo = ${foo.a}, foo { a = 2 }", R"({"foo":{"a":2,"c":1}})");
}

TEST_CASE("HOCON self-references: inside a list literal the key's value before is not seen") {
  refuses("a = 1\na = [${a}, 2]", "2:6", "depends on itself");
}

TEST_CASE("HOCON self-references: inside an object literal the key's value before is not seen") {
  refuses("a = 1\na { x = ${a} }", "2:9", "depends on itself");
}

TEST_CASE("HOCON self-references: an optional one inside a list literal is nothing") {
  reads("a = [${?a}, 1]", R"({"a":[1]})");
}

TEST_CASE("HOCON self-references: beside a self-reference an object literal extends what was") {
  reads("a { b { x = 1 } }, a.b = ${a.b} { y = ${a.b.x} }", R"({"a":{"b":{"x":1,"y":1}}})");
}

TEST_CASE("HOCON self-references: defaults are inherited by many objects") {
  reads("d { x = 1, l = [1] }\na = ${d}, a.l = ${a.l} [2], b = ${d} { l = ${d.l} [3] }",
        R"({"d":{"x":1,"l":[1]},"a":{"x":1,"l":[1,2]},"b":{"x":1,"l":[1,3]}})");
}

// ---- += -----------------------------------------------------------------------------------------

TEST_CASE("HOCON +=: it adds one element to the list before") {
  reads("a = [1], a += 2", R"({"a":[1,2]})");
}

TEST_CASE("HOCON +=: without a value before it makes a list") {
  reads("a += 1, b.c += x", R"({"a":[1],"b":{"c":["x"]}})");
}

TEST_CASE("HOCON +=: any number of times, each adds one") {
  reads("a += 1\na += 2\na += 3\na += 4\na += 5", R"({"a":[1,2,3,4,5]})");
}

TEST_CASE("HOCON +=: a list is added as one element") {
  reads("a = [1], a += [2, 3]", R"({"a":[1,[2,3]]})");
}

TEST_CASE("HOCON +=: an object is added as one element") {
  reads("a += { x = 1 }, a += { x = 2 }", R"({"a":[{"x":1},{"x":2}]})");
}

TEST_CASE("HOCON +=: texts joined are one element") {
  reads("x = 1, a += b c, a += ${x} d", R"({"x":1,"a":["b c","1 d"]})");
}

TEST_CASE("HOCON +=: it works in nested objects and by paths") {
  reads("a { b { c = [1], c += 2 } }, a.b.c += 3, a { b.c += 4 }",
        R"({"a":{"b":{"c":[1,2,3,4]}}})");
}

TEST_CASE("HOCON +=: the value before may be a substitution for a list") {
  reads("d = [1], c = ${d}, c += 2, c += 3", R"({"d":[1],"c":[1,2,3]})");
}

TEST_CASE("HOCON +=: the list of the other key stays as it is") {
  reads("d = [1], c = ${d}, c += 2, e = ${d}", R"({"d":[1],"c":[1,2],"e":[1]})");
}

TEST_CASE("HOCON +=: the value added may be a substitution") {
  reads("x = 1, a = [0], a += ${x}", R"({"x":1,"a":[0,1]})");
}

TEST_CASE("HOCON +=: an optional substitution that leads nowhere adds nothing") {
  reads("a = [1], a += ${?no}, b += ${?no}", R"({"a":[1],"b":[]})");
}

TEST_CASE("HOCON +=: to a value that is no list is an error") {
  refuses("a = 10\na += 1", "2:6", "needs a list");
  refuses("a = x\na += 1", "2:6", "needs a list");
  refuses("a { x = 1 }\na += 1", "2:6", "needs a list");
}

TEST_CASE("HOCON +=: to null is an error") { refuses("a = null\na += 1", "2:6", "needs a list"); }

TEST_CASE("HOCON +=: a later = replaces the list, and += builds on that") {
  reads("a += 1, a = [5], a += 6", R"({"a":[5,6]})");
}

TEST_CASE("HOCON +=: it is the same as an optional self-reference with a list behind") {
  reads("a += 1, a = ${?a} [2], a += 3", R"({"a":[1,2,3]})");
}

TEST_CASE("HOCON +=: + and = stand together") { refuses("a + = 1", "1:3", "must be quoted"); }

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
