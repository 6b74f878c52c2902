// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md: unchanged from JSON, comments, omit root braces, key-value separator, commas,
// whitespace.
#include "hocon_reading.hpp"

namespace actord::hocon::conformance {

TEST_SUITE_BEGIN("hocon/syntax");

// ---- unchanged from JSON ------------------------------------------------------------------------

TEST_CASE("HOCON JSON: a JSON document is a configuration that means the same") {
  reads(R"({"a": {"b": [1, -2.5, true, false, null, "x"]}, "c": {}, "d": []})",
        R"({"a":{"b":[1,-2.5,true,false,null,"x"]},"c":{},"d":[]})");
}

TEST_CASE("HOCON JSON: a quoted string has the eight escapes of JSON") {
  reads(R"(a = "\"\\\/\b\f\n\r\t")", R"({"a":"\"\\/\u0008\u000c\n\r\t"})");
}

TEST_CASE("HOCON JSON: \\u and four hexadecimal digits of either case are a character") {
  reads(R"(a = "\u0041\u00e9\u00E9")", R"({"a":"Aéé"})");
}

TEST_CASE("HOCON JSON: \\u with fewer than four hexadecimal digits is an error") {
  refuses(R"(a = "\u12g4")", "1:6", "hexadecimal");
  refuses(R"(a = "\u12")", "1:6", "hexadecimal");
}

TEST_CASE("HOCON JSON: any other escape is an error at its backslash") {
  refuses(R"(a = "xy\z")", "1:8", "escape");
  refuses(R"(a = "\'")", "1:6", "escape");
  refuses(R"(a = "\x41")", "1:6", "escape");
}

TEST_CASE("HOCON JSON: a quoted string holds no control character") {
  refuses("a = \"x\ty\"", "1:7", "control character");
  refuses("a = \"\x01\"", "1:6", "control character");
}

TEST_CASE("HOCON JSON: a quoted string ends on its line") {
  refuses("a = 1\nb = \"x\ny\"", "2:5", "not closed");
  refuses("a = \"x", "1:5", "not closed");
}

TEST_CASE("HOCON JSON: numbers have JSON's forms and keep the text they were written with") {
  reads("a = [0, -0, 12, -3.25, 1e5, 1E+5, 2.5e-3]", R"({"a":[0,-0,12,-3.25,1e5,1E+5,2.5e-3]})");
}

TEST_CASE("HOCON JSON: what is no number by JSON's grammar is a string") {
  reads("a = [007, 1., .5, 0x10, 1_000, NaN, Infinity]",
        R"({"a":["007","1.",".5","0x10","1_000","NaN","Infinity"]})");
}

TEST_CASE("HOCON JSON: the empty string is a value, and a key") {
  reads(R"("" = "")", R"({"":""})");
}

// ---- comments -----------------------------------------------------------------------------------

TEST_CASE("HOCON comments: # and // begin a comment that ends with the line") {
  reads("a = 1 # b = 2\n// c = 3\nd = 4 // e", R"({"a":1,"d":4})");
}

TEST_CASE("HOCON comments: inside quotes # and // are text") {
  reads(R"(a = "# x // y", "b//#" = 1)", R"({"a":"# x // y","b//#":1})");
}

TEST_CASE("HOCON comments: inside triple quotes # and // are text") {
  reads("a = \"\"\"# x\n// y\"\"\"", R"({"a":"# x\n// y"})");
}

TEST_CASE("HOCON comments: a comment may begin right behind an unquoted word") {
  reads("a = b// c\nd = e# f", R"({"a":"b","d":"e"})");
}

TEST_CASE("HOCON comments: a comment may begin right behind a number, a quote or a bracket") {
  reads("a = 1// x\nb = \"y\"# x\nc = [// x\n2]# x", R"({"a":1,"b":"y","c":[2]})");
}

TEST_CASE("HOCON comments: a comment may stand between key, separator and value") {
  reads("a // key\n= # separator\n1", R"({"a":1})");
}

TEST_CASE("HOCON comments: a comment stands between elements like the newline it ends with") {
  reads("a = [1 # one\n2 // two\n]", R"({"a":[1,2]})");
}

TEST_CASE("HOCON comments: a comment after a comma or before one changes nothing") {
  reads("a = [1, # x\n2 # y\n, 3]", R"({"a":[1,2,3]})");
}

TEST_CASE("HOCON comments: a file of nothing but comments is empty") {
  reads("# a = 1\n// b = 2", "{}");
}

TEST_CASE("HOCON comments: a comment may hold any character, brackets and quotes too") {
  reads("# \" ] } ${ \\ é \t\na = 1", R"({"a":1})");
}

TEST_CASE("HOCON comments: a backslash does not carry a comment to the next line") {
  reads("# x \\\na = 1", R"({"a":1})");
}

TEST_CASE("HOCON comments: a single slash begins no comment") {
  reads("a = x/y / z", R"({"a":"x/y / z"})");
}

TEST_CASE("HOCON comments: there is no comment of /* and */") {
  refuses("a = 1 /* x */", "1:8", "must be quoted");
}

TEST_CASE("HOCON comments: a blank before a comment does not belong to the value") {
  reads("a = x y   # z", R"({"a":"x y"})");
}

// ---- root braces --------------------------------------------------------------------------------

TEST_CASE("HOCON root braces: they may be written or left out") {
  reads("{ a = 1, b = 2 }", R"({"a":1,"b":2})");
  reads("a = 1, b = 2", R"({"a":1,"b":2})");
}

TEST_CASE("HOCON root braces: an empty file, and one of blanks, is an empty object") {
  reads("", "{}");
  reads(" \n\t\n", "{}");
  reads("{}", "{}");
}

TEST_CASE("HOCON root braces: blanks and comments may surround them") {
  reads("\n # x\n {\n a = 1\n }\n // y\n", R"({"a":1})");
}

TEST_CASE("HOCON root braces: a closing one without an opening one is an error") {
  refuses("a = 1\n}", "2:1", "}");
  refuses("}", "1:1", "}");
}

TEST_CASE("HOCON root braces: an opening one without a closing one is an error where it opens") {
  refuses("\n { a = 1\n b = 2", "2:2", "not closed");
}

TEST_CASE("HOCON root braces: nothing follows the closing one") {
  refuses("{ a = 1 }\nb = 2", "2:1", "nothing more");
  refuses("{ a = 1 } }", "1:11", "without a {");
  refuses("{ a = 1 }, b = 2", "1:10", "nothing more");
}

TEST_CASE("HOCON root braces: the root is an object: a list is refused") {
  refuses("[1, 2]", "1:1", "not a list");
}

TEST_CASE("HOCON root braces: a lone value is a key without a value") {
  refuses("hello", "1:1", "key without a value");
  refuses("\"hello\"", "1:1", "key without a value");
  refuses("42", "1:1", "key without a value");
}

// ---- key-value separator ------------------------------------------------------------------------

TEST_CASE("HOCON separator: = and : mean the same") {
  reads("a = 1, b : 2, \"c\": 3, d=4, e:5", R"({"a":1,"b":2,"c":3,"d":4,"e":5})");
}

TEST_CASE("HOCON separator: before { it may be left out") {
  reads("a { b { c = 1 } }, d{}, \"e\" {}", R"({"a":{"b":{"c":1}},"d":{},"e":{}})");
}

TEST_CASE("HOCON separator: before { it may be written") {
  reads("a = { b : { c = 1 } }", R"({"a":{"b":{"c":1}}})");
}

TEST_CASE("HOCON separator: before [ it may not be left out") {
  refuses("a [1]", "1:3", "after a key");
}

TEST_CASE("HOCON separator: before a substitution it may not be left out") {
  refuses("a ${b}", "1:3", "key cannot contain a substitution");
}

TEST_CASE("HOCON separator: newlines may stand before and behind it") {
  reads("a\n\n=\n\n1\nb\n{ c = 2 }", R"({"a":1,"b":{"c":2}})");
}

TEST_CASE("HOCON separator: two of them are an error at the second") {
  refuses("a == 1", "1:4", "must be quoted");
  refuses("a : = 1", "1:5", "must be quoted");
  refuses("a : : 1", "1:5", "must be quoted");
}

TEST_CASE("HOCON separator: a key without one is an error at the key") {
  refuses("a = 1\nb\n", "2:1", "key without a value");
  refuses("x { a = 1, b }", "1:12", "key without a value");
}

TEST_CASE("HOCON separator: nothing behind it is an error at the key") {
  refuses("a =", "1:1", "key without a value");
  refuses("x { a = }", "1:5", "key without a value");
  refuses("a = , b = 1", "1:1", "key without a value");
}

TEST_CASE("HOCON separator: one without a key is an error") {
  refuses("= 1", "1:1", "a key");
  refuses("x { : 1 }", "1:5", "a key");
}

TEST_CASE("HOCON separator: an object or a list is no key") {
  refuses("{ {a = 1} = 2 }", "1:3", "key");
  refuses("{ [1] = 2 }", "1:3", "key");
}

// ---- commas -------------------------------------------------------------------------------------

TEST_CASE("HOCON commas: a newline stands for one between elements") {
  reads("a = [1\n2\n3]", R"({"a":[1,2,3]})");
}

TEST_CASE("HOCON commas: a newline stands for one between fields") {
  reads("a = 1\nb { c = 2\nd = 3 }\ne = 4", R"({"a":1,"b":{"c":2,"d":3},"e":4})");
}

TEST_CASE("HOCON commas: several newlines count as one") {
  reads("a = [\n\n1\n\n\n2\n\n]\n\n\nb = 3", R"({"a":[1,2],"b":3})");
}

TEST_CASE("HOCON commas: one and newlines around it count as one") {
  reads("a = [1\n,\n2]\n,\nb = 3", R"({"a":[1,2],"b":3})");
}

TEST_CASE("HOCON commas: one behind the last element is ignored") {
  reads("a = [1, 2, 3,]", R"({"a":[1,2,3]})");
  reads("a = [1\n,\n]", R"({"a":[1]})");
}

TEST_CASE("HOCON commas: one behind the last field is ignored") {
  reads("a { b = 1, c = 2, }", R"({"a":{"b":1,"c":2}})");
  reads("a = 1, b = 2,", R"({"a":1,"b":2})");
  reads("{ a = 1, }", R"({"a":1})");
}

TEST_CASE("HOCON commas: two behind the last element or field are an error") {
  refuses("a = [1, 2,,]", "1:11", "element");
  refuses("a { b = 1,, }", "1:11", "key");
}

TEST_CASE("HOCON commas: a leading one is an error") {
  refuses("a = [, 1]", "1:6", "element");
  refuses("a { , b = 1 }", "1:5", "key");
  refuses(", a = 1", "1:1", "key");
}

TEST_CASE("HOCON commas: two in a row are an error at the second, newline between or not") {
  refuses("a = [1,, 2]", "1:8", "element");
  refuses("a = [1,\n, 2]", "2:1", "element");
  refuses("a = 1,, b = 2", "1:7", "key");
}

TEST_CASE("HOCON commas: a lone one makes neither a list nor an object") {
  refuses("a = [,]", "1:6", "element");
  refuses("a { , }", "1:5", "key");
}

TEST_CASE("HOCON commas: an empty list and an empty object have none") {
  reads("a = [ ], b = [\n], c { }, d {\n}", R"({"a":[],"b":[],"c":{},"d":{}})");
}

TEST_CASE("HOCON commas: two fields on one line without one are an error") {
  refuses("a = 1 b = 2", "1:9", "must be quoted");
  refuses("a { x = 1 } b { y = 2 }", "1:13", "cannot be joined");
}

TEST_CASE("HOCON commas: behind a closing bracket one is needed too, or a newline") {
  refuses("a { b = [1] c = 2 }", "1:13", "cannot be joined");
  reads("a { b = [1]\nc = 2 }", R"({"a":{"b":[1],"c":2}})");
}

TEST_CASE("HOCON commas: the wrong closing bracket is an error") {
  refuses("a = [1, 2}", "1:10", "expected");
  refuses("a { b = 1 ]", "1:11", "expected");
}

// ---- whitespace ---------------------------------------------------------------------------------

TEST_CASE("HOCON whitespace: blanks around keys, separators and values do not count") {
  reads("  a  =\t 1 \t,  b  { } ", R"({"a":1,"b":{}})");
}

TEST_CASE("HOCON whitespace: it may be left out everywhere") {
  reads("a=1,b{c=[1,{d:2}]}", R"({"a":1,"b":{"c":[1,{"d":2}]}})");
}

TEST_CASE("HOCON whitespace: carriage returns before newlines do not count") {
  reads("a = 1\r\nb = x y\r\nc = [1\r\n2]\r\n", R"({"a":1,"b":"x y","c":[1,2]})");
}

TEST_CASE("HOCON whitespace: every Unicode space separator is a blank") {
  for (const char* blank :
       {"\u0020", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005",
        "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u202f", "\u205f", "\u3000"}) {
    const std::string text = std::string("a") + blank + "=" + blank + "1" + blank;
    reads(text, R"({"a":1})");
  }
}

TEST_CASE("HOCON whitespace: line and paragraph separators are blanks, not newlines") {
  reads("a\u2028=\u20291", R"({"a":1})");
  reads("a = x\u2028y", "{\"a\":\"x\u2028y\"}");
}

TEST_CASE("HOCON whitespace: tab, vertical tab, form feed and the four separators are blanks") {
  for (const char* blank : {"\t", "\v", "\f", "\r", "\x1c", "\x1d", "\x1e", "\x1f"}) {
    reads(std::string("a") + blank + "=" + blank + "1" + blank, R"({"a":1})");
  }
}

TEST_CASE("HOCON whitespace: only a line feed is a newline") {
  refuses("a = 1\rb = 2", "1:9", "must be quoted");
  refuses("a = [1\u2028,,2]", "1:9", "element");
}

TEST_CASE("HOCON whitespace: the byte order mark is a blank wherever it stands") {
  reads("\ufeffa = 1\ufeff\n\ufeffb\ufeff= 2", R"({"a":1,"b":2})");
}

TEST_CASE("HOCON whitespace: a zero width space is a letter, for it is no separator") {
  reads("a = x\u200by", "{\"a\":\"x\u200by\"}");
}

TEST_CASE("HOCON whitespace: blanks within quotes belong to the string") {
  reads("a = \"  x  \"", R"({"a":"  x  "})");
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
