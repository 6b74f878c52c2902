// SPDX-License-Identifier: Apache-2.0
//
// The rules that other readers of HOCON most often got wrong, one case each.
#include "hocon_reading.hpp"

namespace actord::hocon::conformance {

TEST_SUITE_BEGIN("hocon/pitfalls");

TEST_CASE(
    "HOCON pitfall 1: a substitution in an included file sees what the including file overrides") {
  reads(
      {{"main.conf", "include \"b\"\nhost = real"}, {"b.conf", "host = default, url = ${host}/x"}},
      R"({"host":"real","url":"real/x"})");
}

TEST_CASE("HOCON pitfall 2: self-references look below themselves, any number of times") {
  reads("p = \"/bin\"\np = ${p}\":/usr/bin\"\np = \"/opt:\"${p}\np = ${p}\":\"${p}",
        R"({"p":"/opt:/bin:/usr/bin:/opt:/bin:/usr/bin"})");
}

TEST_CASE("HOCON pitfall 3: ${?a}foo is foo, and ${?a} alone leaves no key") {
  reads("o { a = ${?o.a}foo, b = ${?o.b} }", R"({"o":{"a":"foo"}})");
}

TEST_CASE("HOCON pitfall 4: nothing looks back from inside a list or an object") {
  refuses("a = 1\na = [[${a}]]", "2:7", "depends on itself");
  refuses("a = 1\na { x { y = ${a} } }", "2:13", "depends on itself");
}

TEST_CASE("HOCON pitfall 5: looking up one field does not resolve the object around it") {
  reads("a { x = 42, y = ${a.x}, z = ${b} }, b = ${a.y}", R"({"a":{"x":42,"y":42,"z":42},"b":42})");
  reads("a { x = 42, y = ${a.x} }, a { x = 43 }", R"({"a":{"x":43,"y":43}})");
}

TEST_CASE("HOCON pitfall 6: what a value hides is never evaluated; an object hides nothing") {
  reads("a = ${no}${nor}, a = [${x}], x = 1", R"({"a":[1],"x":1})");
  refuses("x = 1\na = ${no}\na.b = ${x}", "2:5", "has no value");
}

TEST_CASE(
    "HOCON pitfall 7: a circle with one required link is an error, one of optional links is not") {
  refuses("a = ${?b}\nb = ${?c}\nc = ${a}", "3:5", "${a}");
  reads("a = [${?b}], b = ${?b}", R"({"a":[]})");
}

TEST_CASE("HOCON pitfall 8: what an undefined optional substitution leaves behind") {
  reads("a = 42, a = ${?NOPE}, b = [1, ${?NOPE}], c = ${?x}${?y}, d = ${?x} ${?y}",
        R"({"a":42,"b":[1],"d":" "})");
}

TEST_CASE("HOCON pitfall 9: += any number of times, in nested objects, behind a substitution") {
  reads("d = [0]\no { l = ${d}, l += 1, l += 2 }\no.l += 3\no { l += 4, l += 5 }",
        R"({"d":[0],"o":{"l":[0,1,2,3,4,5]}})");
}

TEST_CASE("HOCON pitfall 10: += needs a list, and adds a list as one element") {
  refuses("a = true\na += 1", "2:6", "needs a list");
  reads("a = [1], a += [2]", R"({"a":[1,[2]]})");
}

TEST_CASE("HOCON pitfall 11: anything but an object between two objects stops the merge") {
  reads("a { b = 1 }, a = ${n}, a { c = 2 }, n = null", R"({"a":{"c":2},"n":null})");
}

TEST_CASE("HOCON pitfall 12: lists join on one line and are two elements on two") {
  reads("a = [[1] [2]\n[3]]", R"({"a":[[1,2],[3]]})");
}

TEST_CASE("HOCON pitfall 13: nothing is dropped in silence beside a list or an object") {
  refuses("a = [1] x", "1:9", "cannot be joined");
  refuses("a = {x = 1} [2]", "1:13", "cannot be joined");
  refuses("o {}\na = ${o}\" \"${o}", "2:9", "cannot be joined");
}

TEST_CASE("HOCON pitfall 14: blanks between simple values are kept, also beside nothing") {
  reads("a = b   c, d = b ${?x} c", R"({"a":"b   c","d":"b  c"})");
}

TEST_CASE("HOCON pitfall 15: a number in a text or in a key keeps the text it was written with") {
  reads("a = 1e5 x, 10.0 = 1.50x, 1.2.3 = y",
        R"({"a":"1e5 x","10":{"0":"1.50x"},"1":{"2":{"3":"y"}}})");
}

TEST_CASE("HOCON pitfall 16: alone a word keeps its type, as a key it is text") {
  reads("true = true, 1 = 1, null = null, s = \"1\", v = 1.0.0, w = 1-e3",
        R"({"true":true,"1":1,"null":null,"s":"1","v":"1.0.0","w":"1-e3"})");
}

TEST_CASE("HOCON pitfall 17: quotes hold a key together, blanks around dots belong to the names") {
  reads("\"a.b\" = 1, c . d = 2, e.\"\".f = 3", R"({"a.b":1,"c ":{" d":2},"e":{"":{"f":3}}})");
  refuses("a..b = 1", "1:1", "two in a row");
}

TEST_CASE("HOCON pitfall 18: triple quotes take everything, surplus closing quotes included") {
  reads("a = \"\"\"\\d+ \"x\" \n\"\"\"\"\"", R"({"a":"\\d+ \"x\" \n\"\""})");
}

TEST_CASE("HOCON pitfall 19: blanks are Unicode's, newlines are line feeds") {
  reads("\ufeffa\u00a0=\u20071\u202f\nb\u3000=\u2003x\u00a0y", "{\"a\":1,\"b\":\"x\u00a0y\"}");
}

TEST_CASE("HOCON pitfall 20: forbidden characters are errors, // ends a word, ' is a letter") {
  refuses("a = user@host", "1:9", "must be quoted");
  reads("a = b//c\nd = it's", R"({"a":"b","d":"it's"})");
}

TEST_CASE("HOCON pitfall 21: one trailing comma, none leading, none twice; a newline is one") {
  reads("a = [1,\n2\n,3,\n]", R"({"a":[1,2,3]})");
  refuses("a { b = 1,\n, c = 2 }", "2:1", "key");
  refuses("a { b {} c = 2 }", "1:10", "cannot be joined");
}

TEST_CASE(
    "HOCON pitfall 22: in an included file: where it is included, the root, the environment") {
  reads({{"main.conf", "root = r, a { b { here = h, include \"c\" } }"},
         {"c.conf", "x = ${here}, y = ${root}, z = ${ENV}"}},
        R"({"root":"r","a":{"b":{"here":"h","x":"h","y":"r","z":"e"}}})", {{"ENV", "e"}});
}

TEST_CASE(
    "HOCON pitfall 23: included names are relative to the file; missing is no error, broken is") {
  reads({{"main.conf", "include \"d/b\"\ninclude \"missing\""},
         {"d/b.conf", "include \"c\", include \"missing\""},
         {"d/c.conf", "x = 1"}},
        R"({"x":1})");
  refuses({{"main.conf", "include \"b\""}, {"b.conf", "x = ["}}, "b.conf:1:5", "not closed");
}

TEST_CASE("HOCON pitfall 24: the environment never wins over a key, and is always a string") {
  reads("A = 1, B = null, a = ${A}, b = ${B}, c = ${C}, d = ${D}",
        R"({"A":1,"B":null,"a":1,"b":null,"c":"","d":"7"})",
        {{"A", "x"}, {"B", "x"}, {"C", ""}, {"D", "7"}});
}

TEST_CASE("HOCON pitfall 25: units are spelt exactly, m is minutes, k is 1024, nothing wraps") {
  for (const char* written : {"5 sec", "5 min", "5 S", "1h30m", "9223372036855 s"})
    CHECK(Typed(written).duration() == refused);
  for (const char* written : {"10KB", "10mb", "16 EiB"}) CHECK(Typed(written).bytes() == refused);
  CHECK(Typed("2 m").duration() == "120000000000");
  CHECK(Typed("2").duration() == "2000000");
  CHECK(Typed("2k").bytes() == "2048");
  CHECK(Typed("2kB").bytes() == "2000");
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
