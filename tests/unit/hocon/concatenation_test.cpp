// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md, "Value concatenation", "Array and object concatenation", "Conversion of
// numerically-indexed objects".
#include "resolved.hpp"

namespace actord::hocon::test {

TEST_SUITE_BEGIN("hocon/concatenation");

TEST_CASE("simple values on one line join with the blanks between them") {
  check({
      {"a =  b   c  ", R"({"a":"b   c"})"},
      {"a = true \"x\" 1.50 foo", R"({"a":"true x 1.50 foo"})"},
      {"a = x\"y\"z", R"({"a":"xyz"})"},
      {"a = [a b, c]", R"({"a":["a b","c"]})"},
      {"n = 1e5, a = ${n} x", R"({"n":1e5,"a":"1e5 x"})"},
      {"n = null, a = x${n}", R"({"n":null,"a":"xnull"})"},
      {"a = ${x}\nfoo, x = 1", "2:1: a key without a value"},
  });
}

TEST_CASE("undefined optional parts leave only the blanks around them") {
  check({
      {"a = b ${?x} c", R"({"a":"b  c"})"},
      {"a = ${?x}${?y}", R"({})"},
      {"a = ${?x} ${?y}", R"({"a":" "})"},
      {"a = \"\"${?x}", R"({"a":""})"},
      {"a = foo${?x}", R"({"a":"foo"})"},
      {"a = [1] ${?x} [2]", R"({"a":[1,2]})"},
      {"a = {b = 1} ${?x}", R"({"a":{"b":1}})"},
  });
}

TEST_CASE("lists join and objects merge when only blanks stand between them") {
  check({
      {"a = [1, 2] [3]", R"({"a":[1,2,3]})"},
      {"a = [[1] [2]\n[3]]", R"({"a":[[1,2],[3]]})"},
      {"a = {b = 1} {c = 2}", R"({"a":{"b":1,"c":2}})"},
      {"x {b = 1}, y {c = 2}, a = ${x} ${y}", R"({"x":{"b":1},"y":{"c":2},"a":{"b":1,"c":2}})"},
      {"x = [1], a = ${x} [2], a = ${a} ${x}", R"({"x":[1],"a":[1,2,1]})"},
      {"a = [1]\n[2]", "2:1: a key is expected here, not an object or a list"},
  });
}

TEST_CASE(
    "texts, lists and objects do not mix, and the message points at the one that does not fit") {
  check({
      {"a = [1] x", "1:9: a list and a string cannot be joined into one value"},
      {"a = x [1]", "1:7: a list and a string cannot be joined into one value"},
      {"a = null {b = 1}", "1:10: an object and a string cannot be joined into one value"},
      {"a = {x = 1} [2]", "1:13: a list cannot be joined to an object"},
      {"a = [2] {x = 1}", "1:9: an object cannot be joined to a list"},
      {"a = [2] {}", "1:9: an object cannot be joined to a list"},
      {"x = [1], a = abc ${x}", "1:18: a list cannot be joined to a string"},
      {"x = 1, a = [2]\nb = ${a} ${x}", "2:10: a number cannot be joined to a list"},
      {"x {b = 1}, a = ${x}\"  \"${x}", "1:20: a string cannot be joined to an object"},
  });
}

TEST_CASE("an object with numeric keys becomes a list where a list is wanted") {
  check({
      {"a { \"1\" = y, \"0\" = x }, b = ${a} [z]", R"({"a":{"1":"y","0":"x"},"b":["x","y","z"]})"},
      {"a { \"10\" = c, \"2\" = b, foo = 1, \"-1\" = n }, b = [z] ${a}",
       R"({"a":{"10":"c","2":"b","foo":1,"-1":"n"},"b":["z","b","c"]})"},
      {"a { \"0\" = x }, b = ${a}", R"({"a":{"0":"x"},"b":{"0":"x"}})"},
      {"a { \"0\" = x }, a += y", R"({"a":["x","y"]})"},
  });
}

TEST_CASE("`+=` appends one element to a list that may not exist yet") {
  check({
      {"a += 1", R"({"a":[1]})"},
      {"a += 1, a += 2, a += 3", R"({"a":[1,2,3]})"},
      {"a = [1], a += [2]", R"({"a":[1,[2]]})"},
      {"x { a += { b = 1 }, a += { b = 2 } }", R"({"x":{"a":[{"b":1},{"b":2}]}})"},
      {"a.b += 1, a { b += 2 }", R"({"a":{"b":[1,2]}})"},
      {"d { x = [] }, c = ${d}, c { x += 1, x += 2 }", R"({"d":{"x":[]},"c":{"x":[1,2]}})"},
      {"a += 1, a = [9], a += 3", R"({"a":[9,3]})"},
      {"a += ${?x}", R"({"a":[]})"},
      {"x = [ { a += 1, a += 2 } ]", R"({"x":[{"a":[1,2]}]})"},
      {"a = 10, a += 1", "1:14: `+=` needs a list, but the value so far is a number"},
      {"a = null, a += 1", "1:16: `+=` needs a list, but the value so far is null"},
      {"a { b = 1 }, a += 1", "1:19: `+=` needs a list, but the value so far is an object"},
  });
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
