// SPDX-License-Identifier: Apache-2.0
//
// HOCON.md, "Includes".
#include <sys/stat.h>

#include "resolved.hpp"
#include "support/scratch_folder.hpp"

namespace actord::hocon::test {

namespace {

/// The JSON of `main.conf` with that text, next to the files already written.
std::string resolved_in(const support::ScratchFolder& folder, const std::string& text) {
  Source source;
  REQUIRE(source.add_file(folder.write("main.conf", text)));
  return resolved(source);
}

}  // namespace

TEST_SUITE_BEGIN("hocon/include");

TEST_CASE("an included file's keys stand where the include stands") {
  const support::ScratchFolder folder;
  folder.write("x.conf", "x = 1, o { p = 1 }");
  CHECK(resolved_in(folder, "include \"x.conf\"") == R"({"x":1,"o":{"p":1}})");
  CHECK(resolved_in(folder, "x = 0, o { q = 2 }\ninclude \"x.conf\"") ==
        R"({"x":1,"o":{"q":2,"p":1}})");
  CHECK(resolved_in(folder, "include \"x.conf\"\nx = 2") == R"({"x":2,"o":{"p":1}})");
  CHECK(resolved_in(folder, "a { include \"x.conf\" }, b = 1") ==
        R"({"a":{"x":1,"o":{"p":1}},"b":1})");
  CHECK(resolved_in(folder, "a = [ { include \"x.conf\" } ]") == R"({"a":[{"x":1,"o":{"p":1}}]})");
  CHECK(resolved_in(folder, "{ include \"x.conf\", y = 2 }") == R"({"x":1,"o":{"p":1},"y":2})");
}

TEST_CASE("a file is named in quotes, alone or in file() and required()") {
  const support::ScratchFolder folder;
  const std::string x = folder.write("x.conf", "x = 1");
  for (const std::string& name :
       {std::string("\"x.conf\""), std::string("\n \"x.conf\""), std::string("file(\"x.conf\")"),
        std::string("required(\"x.conf\")"), std::string("required( file( \"x.conf\" ) )"),
        "\"" + x + "\"", "url(\"file://" + x + "\")"}) {
    CAPTURE(name);
    CHECK(resolved_in(folder, "include " + name) == R"({"x":1})");
  }
  for (const char* name :
       {"x.conf", "= 1", ": { }", "${x}", "file(x.conf)", "foo(\"x.conf\")", "file(\"x.conf\"",
        "file(required(\"x.conf\"))", "\"x.conf\" : 1", "\"x.conf\" \"y\"", "file(\"x.conf\"))"}) {
    CAPTURE(std::string(name));
    CHECK(resolved_in(folder, std::string("include ") + name).starts_with("1:"));
  }
}

TEST_CASE("include is a key like any other when it is quoted or not alone at the start") {
  const support::ScratchFolder folder;
  CHECK(resolved_in(folder, "\"include\" = 1, a include = 2, includes = 3, b = include") ==
        R"({"include":1,"a include":2,"includes":3,"b":"include"})");
}

TEST_CASE("names are relative to the including file") {
  const support::ScratchFolder folder;
  folder.write("sub/x.conf", "include \"y.conf\"\nx = 1");
  folder.write("sub/y.conf", "y = 2");
  CHECK(resolved_in(folder, "include \"sub/x.conf\"") == R"({"y":2,"x":1})");
  CHECK(resolved("include \"x.conf\"") ==
        "1:9: a text that is not a file cannot include a relative path");
}

TEST_CASE("a name without extension stands for .json and then .conf") {
  const support::ScratchFolder folder;
  folder.write("x.json", R"({"j": 1, "who": "json"})");
  folder.write("x.conf", "c = 1, who = conf");
  folder.write("y.json", R"({"j": 2})");
  folder.write("bare", "b = 3");
  CHECK(resolved_in(folder, "include \"x\"") == R"({"j":1,"who":"conf","c":1})");
  CHECK(resolved_in(folder, "include \"y\"") == R"({"j":2})");
  CHECK(resolved_in(folder, "include \"bare\"") == R"({"b":3})");
}

TEST_CASE("a missing file is only noted, unless it is required") {
  const support::ScratchFolder folder;
  Source source;
  REQUIRE(
      source.add_file(folder.write("main.conf", "include \"nope.conf\"\na = 1\ninclude \"nope\"")));
  const auto tree = source.resolve();
  REQUIRE(tree);
  CHECK(render_json(tree->root(), false) == R"({"a":1})");
  REQUIRE(tree->warnings().size() == 2);
  CHECK(tree->warnings()[0].warning);
  CHECK(tree->warnings()[1].line == 3);
  REQUIRE(tree->files().size() == 3);
  CHECK(tree->files()[1].state == LoadedFile::State::missing);
  CHECK(resolved_in(folder, "include required(\"nope\")").starts_with("1:18: the required file "));
}

TEST_CASE("a folder that is included is called one") {
  const support::ScratchFolder folder;
  folder.write("parts/a.conf", "a = 1");
  Source source;
  REQUIRE(source.add_file(folder.write("main.conf", "include \"parts\"")));
  const auto tree = source.resolve();
  REQUIRE(tree);
  REQUIRE(tree->warnings().size() == 1);
  CHECK(tree->warnings()[0].message.ends_with("/parts is a folder"));
  CHECK(resolved_in(folder, "include required(\"parts\")").find("is a folder") !=
        std::string::npos);
}

TEST_CASE("any other trouble with an included file is an error") {
  const support::ScratchFolder folder;
  folder.write("broken.conf", "a = }");
  folder.write("list.json", "[1]");
  folder.write("folder.conf/x", "");
  folder.write("p.properties", "a=1");
  CHECK(resolved_in(folder, "include \"broken\"") == "1:1: a key without a value");
  CHECK(resolved_in(folder, "include \"list\"") == "1:1: a configuration is an object, not a list");
  CHECK(resolved_in(folder, "include \"folder.conf\"").ends_with("Is a directory"));
  CHECK(resolved_in(folder, "include \"p.properties\"") ==
        "1:9: Java properties cannot be included");
  CHECK(resolved_in(folder, "include url(\"http://x/y.conf\")") ==
        "1:13: only files can be included");
  CHECK(resolved_in(folder, "include \"https://x/y.conf\"") == "1:9: only files can be included");
  CHECK(resolved_in(folder, "include classpath(\"x\")") ==
        "1:19: there is no class path to include from");
}

TEST_CASE("the findings of several files are reported together, each with its own place") {
  const support::ScratchFolder folder;
  folder.write("b.conf", "x = 1\ny = *");
  folder.write("a.conf", "z = [");
  Source source;
  REQUIRE(
      source.add_file(folder.write("main.conf", "include \"b.conf\"\ninclude \"a.conf\"\nw = ]")));
  const auto tree = source.resolve();
  REQUIRE_FALSE(tree);
  REQUIRE(tree.error().size() == 3);
  CHECK(tree.error()[0].file == folder.at("a.conf"));
  CHECK(tree.error()[1].file == folder.at("b.conf"));
  CHECK(tree.error()[1].line == 2);
  CHECK(tree.error()[2].file == folder.at("main.conf"));
}

TEST_CASE("a circle of includes ends in an error that shows it") {
  const support::ScratchFolder folder;
  folder.write("a.conf", "include \"b.conf\"");
  folder.write("b.conf", "include \"a.conf\"");
  Source source;
  REQUIRE(source.add_file(folder.at("a.conf")));
  const auto tree = source.resolve();
  REQUIRE_FALSE(tree);
  CHECK(tree.error().front().file == folder.at("b.conf"));
  CHECK(tree.error().front().message.starts_with("an include cycle: "));
  CHECK(tree.error().front().note == folder.at("a.conf") + " includes " + folder.at("b.conf") +
                                         " includes " + folder.at("a.conf"));
}

TEST_CASE(
    "substitutions of an included file look below the include first, then at the root, then "
    "outside") {
  const support::ScratchFolder folder;
  folder.write("x.conf", "x = 10, y = ${x}");
  folder.write("b.conf", "b = ${bar}");
  folder.write("n.conf", "n { include \"b.conf\" }");
  folder.write("e.conf", "e = ${?HOME}");
  CHECK(resolved_in(folder, "a { include \"x.conf\" }") == R"({"a":{"x":10,"y":10}})");
  CHECK(resolved_in(folder, "a { include \"x.conf\" }, a.x = 42") == R"({"a":{"x":42,"y":42}})");
  CHECK(resolved_in(folder, "x = 1, a { include \"x.conf\" }") == R"({"x":1,"a":{"x":10,"y":10}})");
  CHECK(resolved_in(folder, "bar = root, a { include \"b.conf\" }") ==
        R"({"bar":"root","a":{"b":"root"}})");
  CHECK(resolved_in(folder, "bar = root, a { bar = in, include \"b.conf\" }") ==
        R"({"bar":"root","a":{"bar":"in","b":"in"}})");
  CHECK(resolved_in(folder, "bar = root, a { bar = mid, include \"n.conf\" }") ==
        R"({"bar":"root","a":{"bar":"mid","n":{"b":"root"}}})");
  CHECK(resolved_in(folder, "a = [ { include \"x.conf\" } ]") == R"({"a":[{"x":10,"y":10}]})");
  CHECK(resolved_in(folder, "a { include \"b.conf\" }") ==
        "1:5: the substitution ${bar} has no value");
  Source source;
  source.set_environment([](std::string_view name) {
    return name == "HOME" ? std::optional<std::string>("/h") : std::nullopt;
  });
  REQUIRE(source.add_file(folder.write("main.conf", "a { include \"e.conf\" }")));
  CHECK(resolved(source) == R"({"a":{"e":"/h"}})");
}

TEST_CASE("`+=` and self references in an included file build on what came before it") {
  const support::ScratchFolder folder;
  folder.write("l.conf", "list += 2");
  folder.write("p.conf", "p = ${?p}x");
  CHECK(resolved_in(folder, "list = [1]\ninclude \"l.conf\"") == R"({"list":[1,2]})");
  CHECK(resolved_in(folder, "include \"l.conf\"\ninclude \"l.conf\"") == R"({"list":[2,2]})");
  CHECK(resolved_in(folder, "include \"p.conf\"\ninclude \"p.conf\"") == R"({"p":"xx"})");
}

TEST_CASE("a .json file is strict JSON") {
  const support::ScratchFolder folder;
  const auto json = [&](const std::string& text) {
    Source source;
    REQUIRE(source.add_file(folder.write("x.json", text)));
    return resolved(source);
  };
  CHECK(json(R"({"a.b": [1, -2.5e3, true, null, "x\n"], "c": {}})") ==
        R"({"a.b":[1,-2.5e3,true,null,"x\n"],"c":{}})");
  CHECK(json("\ufeff{}") == "{}");
  for (const char* text :
       {"", "a = 1", "{\"a\": 1,}", "{\"a\": [1,]}", "{\"a\" = 1}", "{a: 1}", "{\"a\": b}",
        "{\"a\": 1 // x\n}", "{\"a\": 1, \"a\": 2}", "{\"a\": 01}", "{} {}",
        "{\"a\": \"\"\"x\"\"\"}", "{\"a\": 1\n\"b\": 2}", "{\"a\": ${b}}"}) {
    CAPTURE(std::string(text));
    CHECK(json(text).starts_with("1:") != json(text).starts_with("2:"));
  }
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
