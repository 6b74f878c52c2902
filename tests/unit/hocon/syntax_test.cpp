// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md, "Syntax": comments, braces, separators, commas, blanks, unquoted text, strings.
#include "resolved.hpp"

namespace actord::hocon::test {

TEST_SUITE_BEGIN("hocon/syntax");

TEST_CASE("the braces around a file may be left out, but must be balanced") {
  check({
      {"", "{}"},
      {"\n \n", "{}"},
      {"{}", "{}"},
      {"a = 1", R"({"a":1})"},
      {"{a = 1}", R"({"a":1})"},
      {"{a = 1} # done\n", R"({"a":1})"},
      {"}", "1:1: a } without a { before it"},
      {"a = 1\n}", "2:1: a } without a { before it"},
      {"{a = 1", "1:1: a { that is not closed"},
      {"a { b = 1\n", "1:3: a { that is not closed"},
      {"{a = 1} b = 2", "1:9: expected nothing more after the closing } of the file, got a text"},
      {"[1, 2]", "1:1: a configuration is an object, not a list"},
      {"a = [1, 2", "1:5: a [ that is not closed"},
  });
}

TEST_CASE("a key and its value are separated by `=`, `:`, or nothing before a brace") {
  check({
      {"a : 1", R"({"a":1})"},
      {"a=1", R"({"a":1})"},
      {"a { b : 1 }", R"({"a":{"b":1}})"},
      {"a\n{ b : 1 }", R"({"a":{"b":1}})"},
      {"a\n=\n1", R"({"a":1})"},
      {"a", "1:1: a key without a value"},
      {"a =", "1:1: a key without a value"},
      {"{a :}", "1:2: a key without a value"},
      {"\nfoo\nb = 1", "2:1: a key without a value"},
      {"= 1", "1:1: expected a key, got \"=\""},
      {"a + = 1", "1:3: the character \"+\" must be quoted"},
      {"[a] = 1, b = 2", "1:1: a configuration is an object, not a list"},
      {"{[a] = 1}", "1:2: a key is expected here, not an object or a list"},
      {"a${b} = 1", "1:2: a key cannot contain a substitution"},
  });
}

TEST_CASE("a comma or a newline stands between two values, and one more comma may end them") {
  check({
      {"a = [1, 2, 3,]", R"({"a":[1,2,3]})"},
      {"a = [1\n2\n\n3]", R"({"a":[1,2,3]})"},
      {"a = [1\n,\n2]", R"({"a":[1,2]})"},
      {"a = 1, b = 2,", R"({"a":1,"b":2})"},
      {"a = 1\nb = 2", R"({"a":1,"b":2})"},
      {"a = [1,,2]", "1:8: expected an element of the list, got \",\""},
      {"a = [,1]", "1:6: expected an element of the list, got \",\""},
      {"a = [1,,]", "1:8: expected an element of the list, got \",\""},
      {", a = 1", "1:1: expected a key, got \",\""},
      {"a = 1,, b = 2", "1:7: expected a key, got \",\""},
      {"a { b = 1 } c = 2", "1:13: an object and a string cannot be joined into one value"},
      {"a = [1] b = 2", "1:9: a list and a string cannot be joined into one value"},
      {"a = 1 b = 2", "1:9: the character \"=\" must be quoted"},
      {"include \"/none.conf\" b = 2",
       "1:22: expected a comma or a newline before the next field, got a text"},
  });
}

TEST_CASE("comments begin with # or // outside quotes and end with the line") {
  check({
      {"# a = 1\n// b = 2\nc = 3", R"({"c":3})"},
      {"a = foo # bar", R"({"a":"foo"})"},
      {"a = foo#bar", R"({"a":"foo"})"},
      {"a = foo//bar", R"({"a":"foo"})"},
      {"a = foo/bar", R"({"a":"foo/bar"})"},
      {"a = \"#x //y\"", R"({"a":"#x //y"})"},
      {"a # c\n = // d\n 1", R"({"a":1})"},
      {"a = [1 # c\n2]", R"({"a":[1,2]})"},
      {"a = 1 /* c */", "1:8: the character \"*\" must be quoted"},
  });
}

TEST_CASE("every Unicode blank counts, and the byte order mark; only the line feed ends a line") {
  for (const char* blank : {"\t", "\v", "\f", "\r", "\x1c", "\x1f", "\u00a0", "\u1680", "\u2003",
                            "\u2007", "\u2028", "\u202f", "\u205f", "\u3000", "\ufeff"}) {
    CAPTURE(std::string(blank));
    const std::string b = blank;
    CHECK(resolved(b + "a" + b + "=" + b + "x" + b + "y" + b) == "{\"a\":" + [&] {
      std::string text;
      append_json_string(text, "x" + b + "y");
      return text;
    }() + "}");
  }
  CHECK(resolved("a = 1\r\nb = 2\r\n") == R"({"a":1,"b":2})");
  CHECK(resolved("a = x\u0085") == "{\"a\":\"x\u0085\"}");
}

TEST_CASE("unquoted text may hold any letter, but not the reserved characters") {
  check({
      {"a = été, ключ = 1", "{\"a\":\"été\",\"ключ\":1}"},
      {"a = it's (x) <y> a|b ~ %", R"({"a":"it's (x) <y> a|b ~ %"})"},
      {"a = -foo", R"({"a":"-foo"})"},
      {"a = x@y", "1:6: the character \"@\" must be quoted"},
      {"a = `x", "1:5: the character \"`\" must be quoted"},
      {"a = x?", "1:6: the character \"?\" must be quoted"},
      {"a = $x", "1:5: the character \"$\" must be quoted"},
      {"a = x\\y", "1:6: the character \"\\\" must be quoted"},
      {"a = x}", "1:6: a } without a { before it"},
      {"été = x*", "1:8: the character \"*\" must be quoted"},
      {"a = http://x", "1:9: the character \":\" must be quoted"},
  });
}

TEST_CASE("a lone word that JSON knows keeps its type, everything else unquoted is a string") {
  check({
      {"a = true, b = false, c = null", R"({"a":true,"b":false,"c":null})"},
      {"a = 1, b = -2.50, c = 1e5, d = -0", R"({"a":1,"b":-2.50,"c":1e5,"d":-0})"},
      {"a = truex, b = nullx, c = True", R"({"a":"truex","b":"nullx","c":"True"})"},
      {"a = 1.2.3, b = 10x, c = 1-e3, d = .33", R"({"a":"1.2.3","b":"10x","c":"1-e3","d":".33"})"},
      {"a = 007, b = 1., c = NaN", R"({"a":"007","b":"1.","c":"NaN"})"},
      {"a = 12345678901234567890", R"({"a":"12345678901234567890"})"},
      {"a = \"1\", b = \"true\"", R"({"a":"1","b":"true"})"},
      {"a = 10e+3, b = 10e+3x", R"({"a":10e+3,"b":"10e+3x"})"},
      {"a = 10e+3e", "1:8: the character \"+\" must be quoted"},
      {"a = 1+2", "1:6: the character \"+\" must be quoted"},
  });
}

TEST_CASE("quoted strings are JSON's") {
  check({
      {R"(a = "x\n\t\"\\\/\u00e9\ud83d\ude00")", "{\"a\":\"x\\n\\t\\\"\\\\/é😀\"}"},
      {R"(a = "\u0000")", R"({"a":"\u0000"})"},
      {"a = \"é\x7f\"", "{\"a\":\"é\x7f\"}"},
      {"a = \"x", "1:5: a quoted string that is not closed"},
      {"a = \"x\ny\"", "1:5: a quoted string that is not closed"},
      {"a = \"x\ty\"", "1:7: a control character in a quoted string"},
      {R"(a = "x\qy")", "1:7: no such escape in a quoted string"},
      {R"(a = "\u12")", "1:6: \\u needs four hexadecimal digits"},
      {R"(a = "\ud83d")", "1:6: half of a surrogate pair"},
      {R"(a = "\ude00")", "1:6: half of a surrogate pair"},
  });
}

TEST_CASE("between three quotes everything counts as it stands, surplus closing quotes included") {
  check({
      {"a = \"\"\"x\\n${y} # \"z\" \"\"\"", R"({"a":"x\\n${y} # \"z\" "})"},
      {"a = \"\"\"x\ny\"\"\"\nb = 1", R"({"a":"x\ny","b":1})"},
      {"a = \"\"\"\"\"\"", R"({"a":""})"},
      {"a = \"\"\"x\"\"\"\"\"", R"({"a":"x\"\""})"},
      {"a = \"\"\"\"\"x\"\"\"", R"({"a":"\"\"x"})"},
      {"a = \"\"\"x\n\"\"\"}", "2:4: a } without a { before it"},
      {"a = \"\"\"x\n\n", "1:5: a \"\"\" string that is not closed"},
  });
}

TEST_CASE("a file must be valid UTF-8, and the message says where it is not") {
  check({
      {"a = 1\nb = \"é\xff\"", "2:7: not valid UTF-8"},
      {"a = \xc0\xaf", "1:5: not valid UTF-8"},
      {"a = \xed\xa0\x80", "1:5: not valid UTF-8"},
  });
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
