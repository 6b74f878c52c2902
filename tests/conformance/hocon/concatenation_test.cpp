// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md: value concatenation, of strings, of lists, of objects.
#include "hocon_reading.hpp"

namespace actord::hocon::conformance {

TEST_SUITE_BEGIN("hocon/concatenation");

// ---- string value concatenation -----------------------------------------------------------------

TEST_CASE("HOCON strings joined: words on one line are one string, blanks between them kept") {
  reads("a = foo  bar\tbaz", R"({"a":"foo  bar\tbaz"})");
}

TEST_CASE("HOCON strings joined: blanks before the first and behind the last are cut") {
  reads("a =   foo bar   \nb = [  x y  ,  z  ]", R"({"a":"foo bar","b":["x y","z"]})");
}

TEST_CASE("HOCON strings joined: quoted and unquoted pieces join without a blank of their own") {
  reads(R"(a = "x"y"z", b = x"y")", R"({"a":"xyz","b":"xy"})");
}

TEST_CASE("HOCON strings joined: blanks between quoted pieces are kept, and those inside") {
  reads(R"(a = " x "  " y ")", R"({"a":" x    y "})");
}

TEST_CASE("HOCON strings joined: numbers, booleans and null become their text") {
  reads("a = 1 2, b = true x, c = null x, d = x 1.50",
        R"({"a":"1 2","b":"true x","c":"null x","d":"x 1.50"})");
}

TEST_CASE("HOCON strings joined: a number keeps the text it was written with") {
  reads("n = 1e5\na = 1e5 x, b = 1.50x, c = ${n} y",
        R"({"n":1e5,"a":"1e5 x","b":"1.50x","c":"1e5 y"})");
}

TEST_CASE("HOCON strings joined: a value alone is not joined and keeps its type") {
  reads("a = true , b =  1  , c = null # x", R"({"a":true,"b":1,"c":null})");
}

TEST_CASE("HOCON strings joined: a newline ends the value") {
  reads("a = x y\nz = 1", R"({"a":"x y","z":1})");
  refuses("a = x\ny", "2:1", "key without a value");
}

TEST_CASE("HOCON strings joined: they are elements of lists, too") {
  reads("a = [x y, 1 2\n\"3\" 4]", R"({"a":["x y","1 2","3 4"]})");
}

TEST_CASE("HOCON strings joined: a list without commas or newlines has one element") {
  reads("a = [ 1 2 3 4 ]", R"({"a":["1 2 3 4"]})");
}

TEST_CASE("HOCON strings joined: a substitution joins as its text") {
  reads("n = 5, t = true, s = x\na = ${n}px ${t} \"${n}\"${s}",
        R"({"n":5,"t":true,"s":"x","a":"5px true ${n}x"})");
}

TEST_CASE("HOCON strings joined: blanks beside a substitution are kept") {
  reads("x = 1\na = ${x} ${x}  b ${x}", R"({"x":1,"a":"1 1  b 1"})");
}

TEST_CASE("HOCON strings joined: null by way of a substitution is its text") {
  reads("n = null\na = ${n}x", R"({"n":null,"a":"nullx"})");
}

TEST_CASE("HOCON strings joined: a missing optional substitution is an empty string") {
  reads("a = x${?no}y", R"({"a":"xy"})");
}

TEST_CASE("HOCON strings joined: the blanks beside a missing optional substitution stay") {
  reads("a = b ${?no} c", R"({"a":"b  c"})");
  reads("a = b ${?no}", R"({"a":"b "})");
}

TEST_CASE("HOCON strings joined: nothing but missing optional substitutions leaves no key") {
  reads("a = ${?no}${?nor}, b = 1", R"({"b":1})");
}

TEST_CASE(
    "HOCON strings joined: missing optional substitutions with a blank between are the blank") {
  reads("a = ${?no} ${?nor}", R"({"a":" "})");
}

TEST_CASE("HOCON strings joined: an empty quoted string makes a string of what stands beside it") {
  reads(R"(n = 1
a = ${n}"", b = ""true)",
        R"({"n":1,"a":"1","b":"true"})");
}

TEST_CASE("HOCON strings joined: a list or an object among texts is an error where it stands") {
  refuses("a = x [1]", "1:7", "cannot be joined");
  refuses("a = x { y = 1 }", "1:7", "cannot be joined");
  refuses("a = \"x\"[1]", "1:8", "cannot be joined");
}

TEST_CASE("HOCON strings joined: a text behind a list or an object is an error where it stands") {
  refuses("a = [1] x", "1:9", "cannot be joined");
  refuses("a = { y = 1 } 2", "1:15", "cannot be joined");
  refuses("a = [1] null", "1:9", "cannot be joined");
}

TEST_CASE("HOCON strings joined: a list or an object by way of a substitution is an error, too") {
  refuses("l = [1]\na = x ${l}", "2:7", "cannot be joined");
  refuses("o { y = 1 }\na = ${o} x", "2:10", "cannot be joined");
}

TEST_CASE("HOCON strings joined: a quoted blank between two objects is text between them") {
  refuses("o { y = 1 }\na = ${o}\" \"${o}", "2:9", "cannot be joined");
}

// ---- array and object concatenation -------------------------------------------------------------

TEST_CASE("HOCON lists joined: lists on one line are one list, blanks between them or not") {
  reads("a = [1] [2], b = [1][2, 3][]", R"({"a":[1,2],"b":[1,2,3]})");
}

TEST_CASE("HOCON lists joined: they join with what substitutions stand for") {
  reads("l = [1, 2]\na = ${l} [3], b = [0] ${l}, c = ${l}${l}",
        R"({"l":[1,2],"a":[1,2,3],"b":[0,1,2],"c":[1,2,1,2]})");
}

TEST_CASE("HOCON lists joined: elements that are lists stay lists") {
  reads("a = [[1]] [[2], 3]", R"({"a":[[1],[2],3]})");
}

TEST_CASE("HOCON lists joined: inside a list two lists on one line are one element") {
  reads("a = [[1] [2]]", R"({"a":[[1,2]]})");
}

TEST_CASE("HOCON lists joined: inside a list two lists on two lines are two elements") {
  reads("a = [[1]\n[2]]", R"({"a":[[1],[2]]})");
}

TEST_CASE("HOCON lists joined: a list on the line below a field is no part of it") {
  refuses("a = [1]\n[2]", "2:1", "key");
}

TEST_CASE("HOCON lists joined: a list may span lines as long as the next begins on its last") {
  reads("a = [\n1\n] [\n2\n]", R"({"a":[1,2]})");
}

TEST_CASE("HOCON lists joined: a missing optional substitution adds nothing") {
  reads("a = ${?no} [1] ${?nor}", R"({"a":[1]})");
}

TEST_CASE("HOCON lists joined: a value that is no list is an error") {
  refuses("n = 1\na = [1] ${n}", "2:9", "cannot be joined");
  refuses("n = null\na = ${n} [1]", "2:10", "cannot be joined");
}

TEST_CASE("HOCON lists joined: an object without numeric keys is an error") {
  refuses("a = [1] { x = 2 }", "1:9", "cannot be joined");
  refuses("a = { x = 2 } [1]", "1:15", "cannot be joined");
}

TEST_CASE("HOCON objects joined: objects on one line merge, the later one winning") {
  reads("a = { x = 1, y = 1 } { y = 2, z = 3 }", R"({"a":{"x":1,"y":2,"z":3}})");
}

TEST_CASE("HOCON objects joined: they merge at every depth") {
  reads("a = { o { x = 1 } } { o { y = 2 } }", R"({"a":{"o":{"x":1,"y":2}}})");
}

TEST_CASE("HOCON objects joined: a substitution with braces behind it extends an object") {
  reads("base { x = 1, y = 1 }\na = ${base} { y = 2, z = 3 }",
        R"({"base":{"x":1,"y":1},"a":{"x":1,"y":2,"z":3}})");
}

TEST_CASE("HOCON objects joined: a substitution behind braces overrides them") {
  reads("over { x = 2 }\na = { x = 1, y = 1 } ${over}", R"({"over":{"x":2},"a":{"x":2,"y":1}})");
}

TEST_CASE("HOCON objects joined: two substitutions with a plain blank between merge") {
  reads("o { x = 1 }, p { y = 2 }\na = ${o} ${p}",
        R"({"o":{"x":1},"p":{"y":2},"a":{"x":1,"y":2}})");
}

TEST_CASE("HOCON objects joined: the separator may be left out before the first brace") {
  reads("a { x = 1 } { y = 2 }", R"({"a":{"x":1,"y":2}})");
}

TEST_CASE(
    "HOCON objects joined: inside a list on one line they are one element, on two lines two") {
  reads("a = [{ x = 1 } { y = 2 }]", R"({"a":[{"x":1,"y":2}]})");
  reads("a = [{ x = 1 }\n{ y = 2 }]", R"({"a":[{"x":1},{"y":2}]})");
}

TEST_CASE("HOCON objects joined: a missing optional substitution adds nothing") {
  reads("a = ${?no} { x = 1 }, b = { x = 1 } ${?no}", R"({"a":{"x":1},"b":{"x":1}})");
}

TEST_CASE("HOCON objects joined: the joined object merges with the one defined before") {
  reads("o { y = 2 }, a { w = 0, x = 0 }\na = ${o} { x = 1 }",
        R"({"o":{"y":2},"a":{"w":0,"x":1,"y":2}})");
}

TEST_CASE("HOCON objects joined: a value that is no object is an error") {
  refuses("n = 1\na = { x = 1 } ${n}", "2:15", "cannot be joined");
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
