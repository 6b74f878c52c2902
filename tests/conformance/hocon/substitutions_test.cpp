// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md: substitutions, and their fallback to environment variables.
#include "hocon_reading.hpp"

namespace actord::hocon::conformance {

TEST_SUITE_BEGIN("hocon/substitutions");

// ---- what a substitution stands for -------------------------------------------------------------

TEST_CASE("HOCON substitutions: one stands for the value at its path, of any type") {
  reads(
      "n = 1, t = true, z = null, s = x, l = [1], o { p = 2 }\n"
      "a = [${n}, ${t}, ${z}, ${s}, ${l}, ${o}, ${o.p}]",
      R"({"n":1,"t":true,"z":null,"s":"x","l":[1],"o":{"p":2},)"
      R"("a":[1,true,null,"x",[1],{"p":2},2]})");
}

TEST_CASE("HOCON substitutions: one may refer to what comes later") {
  reads("a = ${b}, b = 1", R"({"a":1,"b":1})");
}

TEST_CASE("HOCON substitutions: one sees the last value of its path, wherever it stands") {
  reads("a = 1, b = ${a}, a = 2", R"({"a":2,"b":2})");
}

TEST_CASE("HOCON substitutions: one sees the whole merged object") {
  reads("o { x = 1 }, a = ${o}, o { y = 2 }", R"({"o":{"x":1,"y":2},"a":{"x":1,"y":2}})");
}

TEST_CASE("HOCON substitutions: the path begins at the root, not at the object around") {
  reads("x = 1, o { x = 2, y = ${x}, z = ${o.x} }", R"({"x":1,"o":{"x":2,"y":1,"z":2}})");
  refuses("o { x = 2, y = ${x} }", "1:16", "has no value");
}

TEST_CASE("HOCON substitutions: one inside quotes is text") {
  reads("x = 1, a = \"${x}\", b = \"\"\"${x}\"\"\"", R"({"x":1,"a":"${x}","b":"${x}"})");
}

TEST_CASE("HOCON substitutions: alone it keeps the type, blanks around it or not") {
  reads("n = 1, a =  ${n}  , b = [ ${n} ]", R"({"n":1,"a":1,"b":[1]})");
}

TEST_CASE("HOCON substitutions: one leads to the next") {
  reads("a = ${b}, b = ${c}, c = ${d.e}, d.e = 1", R"({"a":1,"b":1,"c":1,"d":{"e":1}})");
}

TEST_CASE("HOCON substitutions: one may lead through a substitution for an object") {
  reads("a = ${b.y}, b = ${c}, c { y = ${d} }, d = 1", R"({"a":1,"b":{"y":1},"c":{"y":1},"d":1})");
}

TEST_CASE("HOCON substitutions: an object copied and changed leaves the original as it is") {
  reads("o { x = 1 }, a = ${o}, a.x = 2, a.y = 3", R"({"o":{"x":1},"a":{"x":2,"y":3}})");
}

TEST_CASE("HOCON substitutions: inside a copied object they still stand for the original's paths") {
  reads("o { x = 1, y = ${o.x} }, a = ${o} { x = 2 }", R"({"o":{"x":1,"y":1},"a":{"x":2,"y":1}})");
}

TEST_CASE("HOCON substitutions: they stand in lists, in objects and in lists of objects") {
  reads("x = 1, a = [[${x}], { y = ${x} }], b { c { d = ${x} } }",
        R"({"x":1,"a":[[1],{"y":1}],"b":{"c":{"d":1}}})");
}

TEST_CASE("HOCON substitutions: no path leads into a list") {
  refuses("l = [1]\na = ${l.0}", "2:5", "has no value");
  reads("l = [1], a = ${?l.0}", R"({"l":[1]})");
}

TEST_CASE("HOCON substitutions: no path leads into a text") {
  refuses("s = x\na = ${s.y}", "2:5", "has no value");
}

TEST_CASE("HOCON substitutions: one without a value is an error at its place") {
  refuses("a {\n  b = [1, ${no.such}]\n}", "2:11", "${no.such} has no value");
}

TEST_CASE("HOCON substitutions: the error for an unknown path suggests a similar one") {
  refuses("timeout = 1\na = ${timeuot}", "2:5", "timeuot");
}

TEST_CASE("HOCON substitutions: null at the path is a value: the path leads somewhere") {
  reads("x = null, a = ${x}, b = ${?x}", R"({"x":null,"a":null,"b":null})");
}

TEST_CASE("HOCON substitutions: braces and question mark stand together") {
  refuses("x = 1, a = $ {x}", "1:12", "must be quoted");
  refuses("x = 1, a = ${ ?x}", "1:15", "follow the brace");
  refuses("x = 1, a = $x", "1:12", "must be quoted");
}

TEST_CASE("HOCON substitutions: one without a path is an error") {
  refuses("a = ${}", "1:5", "path");
  refuses("a = ${?}", "1:5", "path");
  refuses("a = ${ }", "1:5", "path");
}

TEST_CASE("HOCON substitutions: one that is not closed is an error on its line") {
  refuses("a = ${x\nb = 1", "1:5", "not closed");
  refuses("a = ${x", "1:5", "not closed");
}

// ---- optional substitutions ---------------------------------------------------------------------

TEST_CASE("HOCON optional: one that leads somewhere is like any other") {
  reads("x = [1], a = ${?x}", R"({"x":[1],"a":[1]})");
}

TEST_CASE("HOCON optional: a field whose substitution has no value is left out") {
  reads("a = ${?no}, b { c = ${?no} }", R"({"b":{}})");
}

TEST_CASE("HOCON optional: a substitution without a value leaves the earlier value of the key") {
  reads("a = 42, a = ${?no}", R"({"a":42})");
  reads("a { x = 1 }, a = ${?no}", R"({"a":{"x":1}})");
}

TEST_CASE("HOCON optional: an element whose substitution has no value is left out") {
  reads("a = [1, ${?no}, 2], b = [${?no}]", R"({"a":[1,2],"b":[]})");
}

TEST_CASE("HOCON optional: it may be overridden by a later value") {
  reads("a = ${?no}, a = 1", R"({"a":1})");
}

TEST_CASE("HOCON optional: a required one may lead to a key that only optional ones define") {
  refuses("a = ${?no}\nb = ${a}", "2:5", "has no value");
  reads("a = ${?no}, b = ${?a}", "{}");
}

TEST_CASE("HOCON optional: an object between two that lead nowhere merges with the one before") {
  reads("a { x = 1 }, a = ${?no}, a { y = 2 }", R"({"a":{"x":1,"y":2}})");
}

// ---- hidden definitions -------------------------------------------------------------------------

TEST_CASE("HOCON hidden: a definition that a later value hides is not looked at") {
  reads("a = ${no}, a = 42", R"({"a":42})");
  reads("a = ${no} x, a = [1]", R"({"a":[1]})");
}

TEST_CASE("HOCON hidden: an object hides nothing: what is below may be an object, too") {
  refuses("a = ${no}\na { x = 1 }", "1:5", "has no value");
}

TEST_CASE("HOCON hidden: below a hiding value even an object's substitutions are not looked at") {
  reads("a { x = ${no} }, a = 1", R"({"a":1})");
  reads("a { x = ${no} }, a { x = 1 }", R"({"a":{"x":1}})");
}

TEST_CASE("HOCON hidden: a circle that a later value breaks is none") {
  reads("a = ${b}, b = ${a}, a = 1", R"({"a":1,"b":1})");
}

// ---- circles ------------------------------------------------------------------------------------

TEST_CASE("HOCON circles: a key that needs its own value is an error") {
  refuses("a = ${a}", "1:5", "depends on itself");
}

TEST_CASE("HOCON circles: keys that need each other are an error") {
  refuses("a = ${b}\nb = ${a}", "2:5", "depends on itself");
  refuses("a = ${b}, b = ${c}\nc = ${a}", "2:5", "depends on itself");
}

TEST_CASE("HOCON circles: one with a required link is an error even if the others are optional") {
  refuses("a = ${?b}\nb = ${a}", "2:5", "${a}");
}

TEST_CASE("HOCON circles: one of optional links alone vanishes") {
  reads("a = ${?b}, b = ${?c}, c = ${?a}, d = 1", R"({"d":1})");
}

TEST_CASE("HOCON circles: what vanishes in a circle has a value outside of it, in any order") {
  reads("b = ${?a}, a = ${?b}foo", R"({"b":"foo","a":"foo"})");
  reads("a = ${?b}foo, b = ${?a}", R"({"a":"foo","b":"foo"})");
  reads("a = ${?b}foo, b = ${?c}, c = ${?a}", R"({"a":"foo","b":"foo","c":"foo"})");
  reads("c = ${?a}, b = ${?c}, a = ${?b}foo", R"({"c":"foo","b":"foo","a":"foo"})");
  reads("a = ${?b}foo, b = ${?a}, c = ${b}", R"({"a":"foo","b":"foo","c":"foo"})");
  reads("a = ${?b}1, b = ${?a}2", R"({"a":"21","b":2})");
  reads("b = ${?a}2, a = ${?b}1", R"({"b":"12","a":1})");
  reads("d = [6] ${?b}, b = ${?d}, b += x", R"({"d":[6,"x"],"b":["x"]})");
  reads("b = ${?d}, b += x, d = [6] ${?b}", R"({"b":[6,"x"],"d":[6]})");
  reads("a = [${?b} ${?b}], b = {x = ${?a}}", R"({"a":[{}],"b":{}})");
  reads("a = ${?b}foo, b = ${?c.x}, c.x = ${?a}, d = ${?c.x}${?b}",
        R"({"a":"foo","b":"foo","c":{"x":"foo"},"d":"foofoo"})");
}

TEST_CASE("HOCON circles: an object that contains itself is an error") {
  refuses("a { b = ${a} }", "1:9", "depends on itself");
}

TEST_CASE("HOCON circles: an object may refer to a path within itself") {
  reads("bar { foo = 42, baz = ${bar.foo} }", R"({"bar":{"foo":42,"baz":42}})");
}

TEST_CASE("HOCON circles: a path within itself sees the later value, too") {
  reads("bar { foo = 42, baz = ${bar.foo} }, bar { foo = 43 }", R"({"bar":{"foo":43,"baz":43}})");
}

TEST_CASE("HOCON circles: two objects may refer to paths in each other") {
  reads("bar { a = ${foo.d}, b = 1 }, bar.b = 3\nfoo { c = ${bar.b}, d = 2 }, foo.d = 4",
        R"({"bar":{"a":4,"b":3},"foo":{"c":3,"d":4}})");
}

TEST_CASE("HOCON circles: the error shows the chain that closes the circle") {
  refuses("x { a = ${y.b} }\ny { b = ${x.a} }", "2:9", "${x.a}");
}

// ---- environment variables ----------------------------------------------------------------------

TEST_CASE("HOCON environment: a path that no key has is looked up there") {
  reads("a = ${HOME}/x", R"({"a":"/srv/x"})", {{"HOME", "/srv"}});
}

TEST_CASE("HOCON environment: a key wins over a variable of its name") {
  reads("HOME = /here, a = ${HOME}", R"({"HOME":"/here","a":"/here"})", {{"HOME", "/srv"}});
}

TEST_CASE("HOCON environment: a key that is null is not looked up") {
  reads("HOME = null, a = ${HOME}", R"({"HOME":null,"a":null})", {{"HOME", "/srv"}});
}

TEST_CASE("HOCON environment: a variable that is set to nothing is an empty string") {
  reads("a = ${EMPTY}, b = ${?EMPTY}", R"({"a":"","b":""})", {{"EMPTY", ""}});
}

TEST_CASE("HOCON environment: a variable is a string and never parsed") {
  reads("a = ${N}, b = ${L}, c = ${S}", R"({"a":"42","b":"[1]","c":"${N} # x"})",
        {{"N", "42"}, {"L", "[1]"}, {"S", "${N} # x"}});
}

TEST_CASE("HOCON environment: an optional substitution overrides only when the variable is set") {
  reads("a = 1, a = ${?PORT}", R"({"a":1})");
  reads("a = 1, a = ${?PORT}", R"({"a":"8080"})", {{"PORT", "8080"}});
}

TEST_CASE("HOCON environment: neither a key nor a variable is an error") {
  refuses("a = ${NO_SUCH_VARIABLE}", "1:5", "has no value");
}

TEST_CASE("HOCON environment: a path of several elements is looked up as it is written") {
  reads("a = ${x.y}", R"({"a":"z"})", {{"x.y", "z"}});
}

TEST_CASE("HOCON environment: NAME.0, NAME.1 and so on are a list for ${NAME}") {
  reads("a = ${L}, b = ${?L} [c]", R"({"a":["x","y"],"b":["x","y","c"]})",
        {{"L.0", "x"}, {"L.1", "y"}, {"L.3", "z"}});
}

TEST_CASE("HOCON environment: a variable is no key: it makes no field by itself") {
  reads("a = 1", R"({"a":1})", {{"b", "2"}});
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
