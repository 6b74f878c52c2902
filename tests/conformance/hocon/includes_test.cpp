// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md: includes: syntax, merging, substitution, missing files, formats, locating.
#include <filesystem>

#include "hocon/render.hpp"
#include "hocon/source.hpp"
#include "hocon_reading.hpp"
#include "support/scratch_folder.hpp"

namespace actord::hocon::conformance {

TEST_SUITE_BEGIN("hocon/includes");

// ---- syntax -------------------------------------------------------------------------------------

TEST_CASE("HOCON include: the statement stands where a field stands") {
  reads({{"main.conf", "a = 1, include \"b.conf\", c = 3"}, {"b.conf", "b = 2"}},
        R"({"a":1,"b":2,"c":3})");
}

TEST_CASE("HOCON include: blanks and newlines may stand between the word and the name") {
  reads({{"main.conf", "include\n\n   \"b.conf\"\nc = 3"}, {"b.conf", "b = 2"}},
        R"({"b":2,"c":3})");
}

TEST_CASE("HOCON include: commas and newlines part statements as they part fields") {
  reads({{"main.conf", "include \"b\", include \"c\"\ninclude \"d\""},
         {"b.conf", "b = 1"},
         {"c.conf", "c = 2"},
         {"d.conf", "d = 3"}},
        R"({"b":1,"c":2,"d":3})");
}

TEST_CASE("HOCON include: two statements on one line without a comma are an error") {
  refuses({{"main.conf", "include \"b.conf\" include \"b.conf\""}, {"b.conf", "b = 1"}},
          "main.conf:1:18", "comma or a newline");
}

TEST_CASE("HOCON include: the name must be quoted") {
  refuses("include b.conf", "1:9", "double quotes");
  refuses("include 5", "1:9", "double quotes");
  refuses("include", "1:1", "double quotes");
}

TEST_CASE("HOCON include: the name is no concatenation") {
  refuses({{"main.conf", "include \"b\" \"c\""}, {"b.conf", ""}}, "main.conf:1:13", "expected");
  refuses({{"main.conf", "include \"b\"c"}, {"b.conf", ""}}, "main.conf:1:12", "expected");
}

TEST_CASE("HOCON include: the name holds no substitution") {
  refuses("x = b\ninclude ${x}", "2:9", "double quotes");
}

TEST_CASE("HOCON include: a separator behind the word makes no key of it") {
  refuses("include = 1", "1:9", "include");
  refuses("include : 1", "1:9", "include");
  refuses("include { a = 1 }", "1:9", "include");
}

TEST_CASE("HOCON include: as a value or as an element it is a word") {
  reads("a = include, b = [include], c = include \"x\"",
        R"({"a":"include","b":["include"],"c":"include x"})");
}

TEST_CASE("HOCON include: file(...) names a file") {
  reads({{"main.conf", "include file(\"b.conf\")"}, {"b.conf", "b = 1"}}, R"({"b":1})");
}

TEST_CASE("HOCON include: required(...) goes around a name or around file(...)") {
  reads({{"main.conf", "include required(\"b.conf\")\ninclude required(file(\"c.conf\"))"},
         {"b.conf", "b = 1"},
         {"c.conf", "c = 2"}},
        R"({"b":1,"c":2})");
}

TEST_CASE("HOCON include: blanks may stand inside the parentheses") {
  reads({{"main.conf", "include required( file( \"b.conf\" ) )"}, {"b.conf", "b = 1"}},
        R"({"b":1})");
}

TEST_CASE("HOCON include: a parenthesis that is not closed is an error") {
  refuses({{"main.conf", "include file(\"b.conf\""}, {"b.conf", ""}}, "main.conf:1:22",
          "parenthesis");
  refuses({{"main.conf", "include required(file(\"b.conf\")\na = 1"}, {"b.conf", ""}},
          "main.conf:2:1", "parenthesis");
}

TEST_CASE("HOCON include: any other word before a parenthesis is an error") {
  refuses("include optional(\"b.conf\")", "1:9", "double quotes");
  refuses("include file(required(\"b.conf\"))", "1:9", "double quotes");
}

TEST_CASE("HOCON include: url(file:...) and a file: name are files") {
  const support::ScratchFolder folder;
  const std::string b = folder.write("b.conf", "b = 1");
  const std::string c = folder.write("c.conf", "c = 2");
  reads("include url(\"file:" + b + "\")\ninclude \"file://" + c + "\"", R"({"b":1,"c":2})");
}

TEST_CASE("HOCON include: other addresses are refused: no network is needed to read") {
  refuses("include url(\"http://example.org/x.conf\")", "1:13", "only files");
  refuses("include \"https://example.org/x.conf\"", "1:9", "only files");
}

TEST_CASE("HOCON include: classpath(...) is refused: there is none") {
  refuses("include classpath(\"x.conf\")", "1:19", "class path");
}

// ---- merging ------------------------------------------------------------------------------------

TEST_CASE("HOCON include: included keys override and merge with those before the statement") {
  reads({{"main.conf", "a = 1, o { x = 1 }\ninclude \"b\""}, {"b.conf", "a = 2, o { y = 2 }"}},
        R"({"a":2,"o":{"x":1,"y":2}})");
}

TEST_CASE("HOCON include: keys behind the statement override and merge with included ones") {
  reads({{"main.conf", "include \"b\"\na = 1, o { x = 1 }"}, {"b.conf", "a = 2, o { y = 2 }"}},
        R"({"a":1,"o":{"y":2,"x":1}})");
}

TEST_CASE("HOCON include: in an object the included keys are that object's") {
  reads({{"main.conf", "o { x = 1, include \"b\", z = 3 }, p.q { include \"b\" }"},
         {"b.conf", "y = 2"}},
        R"({"o":{"x":1,"y":2,"z":3},"p":{"q":{"y":2}}})");
}

TEST_CASE("HOCON include: in an object within a list it works, too") {
  reads({{"main.conf", "l = [{ include \"b\" }, { include \"b\", x = 5 }]"},
         {"b.conf", "x = 1, y = ${x}"}},
        R"({"l":[{"x":1,"y":1},{"x":5,"y":5}]})");
}

TEST_CASE("HOCON include: a list has no statements") {
  reads({{"main.conf", "l = [ include \"b\" ]"}, {"b.conf", "x = 1"}}, R"({"l":["include b"]})");
}

TEST_CASE("HOCON include: the same file may be included more than once") {
  reads({{"main.conf", "a { include \"b\" }, c { include \"b\" }"}, {"b.conf", "x = 1, y = ${x}"}},
        R"({"a":{"x":1,"y":1},"c":{"x":1,"y":1}})");
}

TEST_CASE("HOCON include: += in an included file adds to the list outside") {
  reads({{"main.conf", "a { l = [1], include \"b\", l += 3 }"}, {"b.conf", "l += 2"}},
        R"({"a":{"l":[1,2,3]}})");
}

TEST_CASE("HOCON include: the included file's root braces may be written") {
  reads({{"main.conf", "a { include \"b\" }"}, {"b.conf", "{ x = 1 }"}}, R"({"a":{"x":1}})");
}

TEST_CASE("HOCON include: a file whose root is a list cannot be included") {
  refuses({{"main.conf", "include \"b\""}, {"b.conf", "[1]"}}, "b.conf:1:1", "not a list");
}

TEST_CASE("HOCON include: its braces must be balanced by itself") {
  refuses({{"main.conf", "a { include \"b\""}, {"b.conf", "x = 1 }"}}, "b.conf:1:7", "}");
}

// ---- substitution -------------------------------------------------------------------------------

TEST_CASE("HOCON include: a substitution in an included file is relative to where it is included") {
  reads({{"main.conf", "a { include \"b\" }"}, {"b.conf", "x = 10, y = ${x}"}},
        R"({"a":{"x":10,"y":10}})");
}

TEST_CASE("HOCON include: it sees what the including file says later") {
  reads({{"main.conf", "a { include \"b\" }, a { x = 42 }"}, {"b.conf", "x = 10, y = ${x}"}},
        R"({"a":{"x":42,"y":42}})");
}

TEST_CASE("HOCON include: what is not there is looked for at the root") {
  reads({{"main.conf", "z = 7, a { include \"b\" }"}, {"b.conf", "y = ${z}"}},
        R"({"z":7,"a":{"y":7}})");
}

TEST_CASE("HOCON include: what is there is preferred to the root's") {
  reads({{"main.conf", "x = 1, a { include \"b\" }"}, {"b.conf", "x = 2, y = ${x}"}},
        R"({"x":1,"a":{"x":2,"y":2}})");
}

TEST_CASE("HOCON include: the environment is asked by the name as it is written") {
  reads({{"main.conf", "a.b { include \"b\" }"}, {"b.conf", "y = ${HOME}"}},
        R"({"a":{"b":{"y":"/srv"}}})", {{"HOME", "/srv"}, {"a.b.HOME", "wrong"}});
}

TEST_CASE(
    "HOCON include: a key that is null where it is included hides the root and the environment") {
  reads({{"main.conf", "HOME = /r, a { HOME = null, include \"b\" }"}, {"b.conf", "y = ${HOME}"}},
        R"({"HOME":"/r","a":{"HOME":null,"y":null}})", {{"HOME", "/srv"}});
}

TEST_CASE("HOCON include: in a file that an included file includes both places count") {
  reads({{"main.conf", "a { include \"b\" }"},
         {"b.conf", "c { include \"d\" }, x = 1"},
         {"d.conf", "x = 2, y = ${x}"}},
        R"({"a":{"c":{"x":2,"y":2},"x":1}})");
}

TEST_CASE("HOCON include: an optional substitution for the value outside builds on it") {
  reads({{"main.conf", "a { p = x, include \"b\" }"}, {"b.conf", "p = ${?p}y"}},
        R"({"a":{"p":"xy"}})");
}

TEST_CASE("HOCON include: a substitution without a value is an error in the included file") {
  refuses({{"main.conf", "a { include \"b\" }"}, {"b.conf", "x = 1\ny = ${no}"}}, "b.conf:2:5",
          "has no value");
}

TEST_CASE("HOCON include: at the root an included file is as if it stood there") {
  reads({{"main.conf", "include \"b\"\nx = 2"}, {"b.conf", "x = 1, y = ${x}, o { z = ${x} }"}},
        R"({"x":2,"y":2,"o":{"z":2}})");
}

// ---- missing files ------------------------------------------------------------------------------

TEST_CASE("HOCON include: a missing file is passed over, with a note") {
  const support::ScratchFolder folder;
  Source source;
  const auto added = source.add_file(folder.write("main.conf", "a = 1\ninclude \"no.conf\""));
  REQUIRE(added.ok());
  const auto tree = source.resolve();
  REQUIRE(tree.ok());
  CHECK(render_json(tree->root(), false) == R"({"a":1})");
  REQUIRE(tree->warnings().size() == 1);
  CHECK(tree->warnings().front().line == 2);
}

TEST_CASE("HOCON include: a missing file that is required is an error at its name") {
  refuses({{"main.conf", "a = 1\ninclude required(\"no.conf\")"}}, "main.conf:2:18",
          "does not exist");
  refuses({{"main.conf", "include required(file(\"no\"))"}}, "main.conf:1:23", "does not exist");
}

TEST_CASE("HOCON include: a missing file below a required one may be missing") {
  reads({{"main.conf", "include required(\"b\")"}, {"b.conf", "x = 1, include \"no\""}},
        R"({"x":1})");
}

TEST_CASE("HOCON include: a syntax error in an included file is an error, required or not") {
  refuses({{"main.conf", "include \"b.conf\""}, {"b.conf", "x = 1\ny = ?"}}, "b.conf:2:5",
          "must be quoted");
  refuses({{"main.conf", "include \"b\""}, {"b.conf", "x = 1\ny = ?"}}, "b.conf:2:5",
          "must be quoted");
}

TEST_CASE("HOCON include: a folder is no missing file but an error") {
  const support::ScratchFolder folder;
  std::filesystem::create_directory(folder.at("b.conf"));
  Source source;
  const auto added = source.add_file(folder.write("main.conf", "include \"b.conf\""));
  REQUIRE(added.ok());
  const auto tree = source.resolve();
  REQUIRE_FALSE(tree.ok());
  CHECK(tree.error().front().message.find("cannot read") != std::string::npos);
}

TEST_CASE("HOCON include: a file that includes itself is an error, with the chain") {
  refuses({{"main.conf", "a = 1\ninclude \"main.conf\""}}, "main.conf:2:9", "cycle");
}

TEST_CASE("HOCON include: files that include each other are an error where the circle closes") {
  refuses({{"main.conf", "include \"b\""}, {"b.conf", "x = 1\na { include \"main\" }"}},
          "b.conf:2:13", "cycle");
}

// ---- formats and extensions ---------------------------------------------------------------------

TEST_CASE("HOCON include: a name without an extension stands for .conf and .json") {
  reads(
      {{"main.conf", "include \"b\", include \"c\""}, {"b.conf", "b = 1"}, {"c.json", "{\"c\":2}"}},
      R"({"b":1,"c":2})");
}

TEST_CASE("HOCON include: where both are there both count, .conf upon .json") {
  reads({{"main.conf", "include \"b\""},
         {"b.conf", "x = conf, y = 1"},
         {"b.json", "{\"x\":\"json\",\"z\":2}"}},
        R"({"x":"conf","z":2,"y":1})");
}

TEST_CASE("HOCON include: a name with an extension stands for that file alone") {
  reads({{"main.conf", "include \"b.json\""}, {"b.conf", "x = 1"}, {"b.json", "{\"z\":2}"}},
        R"({"z":2})");
}

TEST_CASE("HOCON include: a .json file is strict JSON") {
  refuses({{"main.conf", "include \"b.json\""}, {"b.json", "{\"a\": 1, # x\n\"b\": 2}"}},
          "b.json:1:10", "");
  refuses({{"main.conf", "include \"b.json\""}, {"b.json", "{\"a\": 1,}"}}, "b.json:1:9", "");
  refuses({{"main.conf", "include \"b.json\""}, {"b.json", "a = 1"}}, "b.json:1:1", "object");
}

TEST_CASE("HOCON include: a .properties file is refused") {
  refuses({{"main.conf", "include \"b.properties\""}, {"b.properties", "a=1"}}, "main.conf:1:9",
          "properties");
}

// ---- locating -----------------------------------------------------------------------------------

TEST_CASE("HOCON include: a relative name is relative to the including file") {
  reads({{"main.conf", "include \"sub/b\""},
         {"sub/b.conf", "include \"c\", include \"../d\""},
         {"sub/c.conf", "c = 1"},
         {"d.conf", "d = 2"},
         {"c.conf", "c = wrong"}},
        R"({"c":1,"d":2})");
}

TEST_CASE("HOCON include: file(...) with a relative name is relative to the including file, too") {
  reads({{"main.conf", "include \"sub/b\""},
         {"sub/b.conf", "include file(\"c.conf\")"},
         {"sub/c.conf", "c = 1"},
         {"c.conf", "c = wrong"}},
        R"({"c":1})");
}

TEST_CASE("HOCON include: an absolute name is taken as it is") {
  const support::ScratchFolder folder;
  const std::string path = folder.write("b.conf", "b = 1");
  reads("include \"" + path + "\"", R"({"b":1})");
}

TEST_CASE("HOCON include: a text that is no file has no folder to be relative to") {
  refuses("include \"b.conf\"", "1:9", "relative");
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
