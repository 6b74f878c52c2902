// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md: unquoted strings, multi-line strings; and the characters of Unicode in all of them.
#include "hocon_reading.hpp"

namespace actord::hocon::conformance {

TEST_SUITE_BEGIN("hocon/strings");

// ---- unquoted strings ---------------------------------------------------------------------------

TEST_CASE("HOCON unquoted: a word is a string") { reads("a = hello", R"({"a":"hello"})"); }

TEST_CASE("HOCON unquoted: signs that are not forbidden belong to the word") {
  reads("a = (x)<y>|~%;'_-./\nb = don't", R"({"a":"(x)<y>|~%;'_-./","b":"don't"})");
}

TEST_CASE("HOCON unquoted: each forbidden character is an error at its place") {
  for (const char character : std::string_view("$`^?!@*&\\+")) {
    const std::string text = std::string("a = x") + character + "y";
    refuses(text, "1:6", "must be quoted");
  }
}

TEST_CASE("HOCON unquoted: : and = within a word are an error") {
  refuses("a = x:y", "1:6", "must be quoted");
  refuses("a = x=y", "1:6", "must be quoted");
}

TEST_CASE("HOCON unquoted: the error for an address says to quote it") {
  refuses("a = http://example.org/", "1:9", "must be quoted");
  reads("a = \"http://example.org/\"", R"({"a":"http://example.org/"})");
}

TEST_CASE("HOCON unquoted: forbidden characters are free in quotes") {
  reads(R"(a = "$`^?!@*&+:=,{}[]#")", R"({"a":"$`^?!@*&+:=,{}[]#"})");
}

TEST_CASE("HOCON unquoted: there are no escapes") {
  refuses(R"(a = x\ny)", "1:6", "must be quoted");
}

TEST_CASE("HOCON unquoted: single quotes are ordinary letters") {
  reads("a = 'x y'", R"({"a":"'x y'"})");
  refuses("a = 'x, y'", "1:9", "key without a value");
}

TEST_CASE("HOCON unquoted: true, false and null alone have their types") {
  reads("a = true, b = false, c = null", R"({"a":true,"b":false,"c":null})");
}

TEST_CASE("HOCON unquoted: in quotes true, false, null and numbers are strings") {
  reads(R"(a = "true", b = "null", c = "1")", R"({"a":"true","b":"null","c":"1"})");
}

TEST_CASE("HOCON unquoted: a word that begins like true, false or null is a string") {
  reads("a = truefoo, b = nullable, c = falsehood",
        R"({"a":"truefoo","b":"nullable","c":"falsehood"})");
}

TEST_CASE("HOCON unquoted: true and the like have no other spelling") {
  reads("a = True, b = FALSE, c = Null", R"({"a":"True","b":"FALSE","c":"Null"})");
}

TEST_CASE("HOCON unquoted: inside a word booleans, nulls and numbers are letters") {
  reads("a = footrue, b = bar10.0, c = xnull", R"({"a":"footrue","b":"bar10.0","c":"xnull"})");
}

TEST_CASE("HOCON unquoted: what begins like a number and goes on as text is one string") {
  reads("a = 10.0bar, b = 10x, c = 1.2.3, d = 1-e3, e = 2024-01-31",
        R"({"a":"10.0bar","b":"10x","c":"1.2.3","d":"1-e3","e":"2024-01-31"})");
}

TEST_CASE("HOCON unquoted: a hyphen may begin a word that is no number") {
  reads("a = -, b = -x, c = --y", R"({"a":"-","b":"-x","c":"--y"})");
}

TEST_CASE("HOCON unquoted: a plus sign is forbidden, except in an exponent") {
  reads("a = 1e+3", R"({"a":1e+3})");
  refuses("a = +1", "1:5", "must be quoted");
  refuses("a = 1+1", "1:6", "must be quoted");
}

TEST_CASE("HOCON unquoted: a path of files needs no quotes") {
  reads("a = /var/lib/actord, b = ../x.conf", R"({"a":"/var/lib/actord","b":"../x.conf"})");
}

TEST_CASE("HOCON unquoted: control characters that are no blanks may stand in a word") {
  reads("a = x\x01y", R"({"a":"x\u0001y"})");
}

// ---- multi-line strings -------------------------------------------------------------------------

TEST_CASE("HOCON multi-line: newlines and indentation stay as they are") {
  reads("a = \"\"\"x\n  y\n\"\"\"", R"({"a":"x\n  y\n"})");
}

TEST_CASE("HOCON multi-line: the first newline stays, too") {
  reads("a = \"\"\"\nx\"\"\"", R"({"a":"\nx"})");
}

TEST_CASE("HOCON multi-line: nothing is an escape") {
  reads(R"(a = """\n\u0041\""")", R"({"a":"\\n\\u0041\\"})");
}

TEST_CASE("HOCON multi-line: one or two quotes inside are text") {
  reads(R"(a = """x "y" ""z""")", R"({"a":"x \"y\" \"\"z"})");
}

TEST_CASE("HOCON multi-line: of more than three closing quotes the surplus is text") {
  reads(R"(a = """x"""", b = """y""""")", R"({"a":"x\"","b":"y\"\""})");
}

TEST_CASE("HOCON multi-line: six quotes are the empty string, seven a quote") {
  reads(R"(a = """""", b = """"""")", R"({"a":"","b":"\""})");
}

TEST_CASE("HOCON multi-line: substitutions inside are text") {
  reads("x = 1\na = \"\"\"${x}\"\"\"", R"({"x":1,"a":"${x}"})");
}

TEST_CASE("HOCON multi-line: control characters and carriage returns stay") {
  reads("a = \"\"\"x\ty\r\nz\x01\"\"\"", R"({"a":"x\ty\r\nz\u0001"})");
}

TEST_CASE("HOCON multi-line: one may be a key, and part of a path") {
  reads("\"\"\"a.b\"\"\".c = 1", R"({"a.b":{"c":1}})");
}

TEST_CASE("HOCON multi-line: one joins what stands beside it") {
  reads("x = 1\na = <\"\"\"y\n\"\"\">${x}", R"({"x":1,"a":"<y\n>1"})");
}

TEST_CASE("HOCON multi-line: one that is not closed is an error where it opens") {
  refuses("a = 1\nb = \"\"\"x\ny\n", "2:5", "not closed");
  refuses("a = \"\"\"x\"\"", "1:5", "not closed");
}

TEST_CASE("HOCON multi-line: places behind one are counted from its last line") {
  refuses("a = \"\"\"x\ny\"\"\" ?", "2:6", "must be quoted");
  refuses("a = \"\"\"x\n\n\"\"\"\nb = ?", "4:5", "must be quoted");
}

// ---- Unicode ------------------------------------------------------------------------------------

TEST_CASE("HOCON Unicode: letters of any script stand unquoted, in values and in keys") {
  reads("größe = große Straße\n日本.語 = 値", R"({"größe":"große Straße","日本":{"語":"値"}})");
}

TEST_CASE("HOCON Unicode: letters of any script stand in quotes") {
  reads("\"é\" = \"ж€😀\"", R"({"é":"ж€😀"})");
}

TEST_CASE("HOCON Unicode: a surrogate pair of escapes is one character") {
  reads(R"(a = "\uD83D\uDE00 \ud834\udd1e")", R"({"a":"😀 𝄞"})");
}

TEST_CASE("HOCON Unicode: half a surrogate pair is an error") {
  refuses(R"(a = "\uD83D")", "1:6", "surrogate");
  refuses(R"(a = "\uDE00")", "1:6", "surrogate");
  refuses(R"(a = "\uD83Dx")", "1:6", "surrogate");
  refuses(R"(a = "\uD83D\u0041")", "1:6", "surrogate");
}

TEST_CASE("HOCON Unicode: the escape of the null character is a character") {
  reads(R"(a = "x\u0000y")", R"({"a":"x\u0000y"})");
}

TEST_CASE("HOCON Unicode: bytes that are no UTF-8 are an error at their place") {
  refuses("a = 1\nb = é\xff", "2:6", "UTF-8");
  refuses("a = \"\xc3\"", "1:6", "UTF-8");
}

TEST_CASE("HOCON Unicode: overlong forms and encoded surrogates are no UTF-8") {
  refuses("a = \xc0\xaf", "1:5", "UTF-8");
  refuses("a = \xed\xa0\x80", "1:5", "UTF-8");
  refuses("a = \xf4\x90\x80\x80", "1:5", "UTF-8");
}

TEST_CASE("HOCON Unicode: columns count characters, not bytes") {
  refuses("é = \"日本\" ?", "1:10", "must be quoted");
  refuses("a = \"😀\\x\"", "1:7", "escape");
}

TEST_CASE("HOCON Unicode: keys are equal when their characters are, however they are written") {
  reads(R"(é = 1, "\u00e9" = 2)", R"({"é":2})");
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
