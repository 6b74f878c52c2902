// SPDX-License-Identifier: Apache-2.0
//
// YAML gives the same tree as HOCON.
#include "layers/yaml_syntax.hpp"

#include "layers/layers.hpp"
#include "support/scratch_folder.hpp"
#include "unit/hocon/resolved.hpp"

namespace actord::layers::test {

namespace {

using support::ScratchFolder;

hocon::Source source_of(std::string text) {
  hocon::Source source;
  set_syntaxes(source);
  source.add_text("x.yaml", std::move(text));
  return source;
}

/// The JSON of a YAML text, or "line:column: message".
std::string said(std::string text) {
  hocon::Source source = source_of(std::move(text));
  return hocon::test::resolved(source);
}

/// The first error as an operator sees it.
std::string screen(std::string text) {
  const auto tree = source_of(std::move(text)).resolve();
  REQUIRE_FALSE(tree);
  return hocon::format(tree.error().front());
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace

TEST_SUITE_BEGIN("layers/yaml_syntax");

TEST_CASE("mappings are objects, sequences are lists, in both styles") {
  CHECK(said("a:\n  b: 1\n  c:\n    - x\n    - y: 2\n      z: 3\nd: {e: [1, 2], f: {}}\n") ==
        R"({"a":{"b":1,"c":["x",{"y":2,"z":3}]},"d":{"e":[1,2],"f":{}}})");
  CHECK(said("") == "{}");
  CHECK(said("# nothing\n---\n") == "{}");
  CHECK(said("\xEF\xBB\xBF"
             "a: 1\r\nb: 2\r\n") == R"({"a":1,"b":2})");
}

TEST_CASE("of two byte order marks the second is text, and no place is wrong for it") {
  CHECK(said("\ufeff\ufeffa: 1\nb: 2\n") == "{\"\ufeffa\":1,\"b\":2}");
  CHECK(said("\ufeff\ufeffa: 1\n: €\n").starts_with("2:1: "));
}

TEST_CASE("keys are literal: no path is split and nothing is included") {
  CHECK(said("a.b: 1\n\"c.d\": 2\n1: 3\ntrue: 4\nnull: 5\n~: 6\ninclude: x\n\"<<\": 7\n'': 8\n") ==
        R"({"a.b":1,"c.d":2,"1":3,"true":4,"null":5,"~":6,"include":"x","<<":7,"":8})");
}

TEST_CASE("a plain scalar is a lone word of HOCON, a quoted one is a string") {
  CHECK(said("[no]: 1").starts_with("1:1:"));
  CHECK(said("a: [true, false, 1, -2.50, 1e3, null]") == R"({"a":[true,false,1,-2.50,1e3,null]})");
  CHECK(said("a: [no, Yes, True, 0755, .5, 0x1F, 12:30, 5 s, 1_000]\nb: ${x}\n") ==
        R"({"a":["no","Yes","True","0755",".5","0x1F","12:30","5 s","1_000"],"b":"${x}"})");
  CHECK(said("a: ['1', \"true\", \"null\", \"x\\ny\\u00e9\"]") ==
        R"({"a":["1","true","null","x\nyé"]})");
  CHECK(said("a:\nb: ~\nc: null\nd: [~, ]\n") == R"({"a":null,"b":null,"c":null,"d":[null]})");
  CHECK(said("a: |\n  x\n  y\nb: >\n  x\n  y\n") == R"({"a":"x\ny\n","b":"x y\n"})");
}

TEST_CASE("tags of YAML's own types are understood where they fit") {
  CHECK(said("a: !!str 1\nb: !!int 1\nc: !!float 1.5\nd: !!bool true\ne: !!seq [1]\nf: !!map {}\n"
             "g: ! 5\nh: !!null null\n") ==
        R"({"a":"1","b":1,"c":1.5,"d":true,"e":[1],"f":{},"g":"5","h":null})");
  CHECK(said("a: !!int 1.5") == "1:10: a tag that does not fit or is not known");
  CHECK(said("a: !!bool no").starts_with("1:11: a tag that"));
  CHECK(said("a: !env HOME") == "1:9: a tag that does not fit or is not known");
  CHECK(said("a: !!set {x}").starts_with("1:10: a tag that"));
  CHECK(said("a: !!binary aGk=").starts_with("1:13: a tag that"));
}

TEST_CASE("values know their place, counted in characters") {
  const auto tree = source_of("a: 1\nü:\n  - x\n  - \"é\": &n yes\n    w: *n\n").resolve();
  REQUIRE(tree);
  const hocon::Value item = tree->find("ü").at(1).value;
  CHECK(tree->find("a").origin_text() == "x.yaml:1");
  CHECK(item.origin_text() == "x.yaml:4");
  CHECK(item.member("é").origin().column == 13);
  CHECK(item.member("w").origin() == item.member("é").origin());
}

TEST_CASE("an alias stands for all that its anchor has") {
  CHECK(said("a: &x {p: 1, q: [2]}\nb: *x\nc: [*x, *x]\n") ==
        R"({"a":{"p":1,"q":[2]},"b":{"p":1,"q":[2]},"c":[{"p":1,"q":[2]},{"p":1,"q":[2]}]})");
  CHECK(said("a: &x 1\nb: *x\nc: &x 2\nd: *x\n") == R"({"a":1,"b":1,"c":2,"d":2})");
  CHECK(said("a: &k key\n*k : 1\n") == R"({"a":"key","key":1})");
  CHECK(said("a: *x") == "1:4: YAML: the referenced anchor is not defined");
  CHECK(said("a: &x [1, {b: *x}]") == "1:15: an alias inside its own anchor");
}

TEST_CASE("the two escapes that yaml-cpp makes broken bytes of are refused with their spelling") {
  CHECK(said("a: \"x\\_y\"") == "1:4: an escape that is not a valid character");
  CHECK(said("a: \"x\\Ny\"") == "1:4: an escape that is not a valid character");
  CHECK(screen("a: \"x\\_y\"").find("write \\u00A0 for \\_") != std::string::npos);
  CHECK(said("a: \"x\\u00A0y\\u0085\"") == "{\"a\":\"x\u00a0y\u0085\"}");
}

TEST_CASE("what another reader would let pass is refused") {
  CHECK(screen("a: 1\nb: 2\na: 3\n") ==
        "x.yaml:3:1: error: the key \"a\" stands twice in one object [E0201]\n"
        "  3 | a: \u2026\n    | ^\n"
        "  help: remove one of the two\n"
        "  note: the first one is at x.yaml:1\n");
  CHECK(said("? [x]\n: y\n") == "1:3: a key must be a single word or text");
  CHECK(said("a: &x [1]\n*x : 2\n") == "1:7: a key must be a single word or text");
  CHECK(said(": 1") == "1:1: a key is missing here");
  CHECK(said("x: &x {a: 1}\ny:\n  <<: *x\n") == "3:3: the merge key << is not understood");
  CHECK(said("a: 1\n---\nb: 2\n") == "2:1: a second document in one file");
  CHECK(said("- a\n") == "1:1: a configuration is an object, not a list");
  CHECK(said("text") == "1:1: a configuration is an object, not a single value");
}

TEST_CASE("an error of the parser points at its place") {
  CHECK(screen("a: 1\nb: c: d\n") ==
        "x.yaml:2:5: error: YAML: illegal map value [E0201]\n  2 | b: \u2026\n    |    ^\n");
  CHECK(said("a: [1\nb: 2\n").starts_with("2:2: YAML: "));
  CHECK(said("a: \"x").starts_with("1:6: YAML: "));
  CHECK(said("%YAML 9.9\n---\na: 1").find("YAML") != std::string::npos);
}

TEST_CASE("hostile texts end in a message") {
  CHECK(said(std::string("a: 1\n\0b: 2", 10)) == "2:1: a control character");
  CHECK(said("a: 1\nb: \x04 2") == "2:4: a control character");
  CHECK(said("a: \xFF") == "1:4: not valid UTF-8");
  CHECK(said("a: \"\\uD800\"").starts_with("1:"));
  CHECK(said("a: " + repeated("[", 300) + repeated("]", 300)).find("nested deeper") !=
        std::string::npos);
  CHECK(said(repeated("- ", 100'000)).find("nested deeper") != std::string::npos);
  for (const char* piece : {"[", "{", "{a: ", "? ", ": ", "&a ", "!!x ", "'", "\"", "|\n", "*a "}) {
    CAPTURE(std::string(piece));
    CHECK_FALSE(source_of(repeated(piece, 100'000)).resolve());
  }
}

TEST_CASE("a YAML file of more than 4 MiB is refused") {
  const std::string line = "# " + repeated("x", 1021) + '\n';
  CHECK(said(repeated(line, 4096)) == "{}");
  CHECK(said(repeated(line, 4096) + '\n') == "1:1: a YAML file may have at most 4 MiB");
}

TEST_CASE("aliases of aliases end at the limit of values, or of texts") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" +
            repeated(alias + ", ", 9) + alias + "]\n";
  }
  CHECK(said(bomb).find("more than 2000000 values") != std::string::npos);
  CHECK(said("a: &a " + std::string(1'000'000, 'x') + "\nb: [" + repeated("*a, ", 100) + "]")
            .find("take more than 64 MiB") != std::string::npos);
}

TEST_CASE("a large file takes time in proportion") {
  std::string text = "list: [";
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + ", ";
  const auto tree = source_of(text + "]\n").resolve();
  REQUIRE(tree);
  CHECK(tree->find("list").size() == 200'000);
}

TEST_CASE("YAML is read from files, drop-ins of that name and includes") {
  const ScratchFolder folder;
  folder.write("part.yml", "p: 1\n");
  hocon::Source source;
  set_syntaxes(source);
  REQUIRE(source.add_file(folder.write("main.conf", "x = ${o.p}\no { include \"part.yml\" }")));
  REQUIRE(source.add_file(folder.write("more.yaml", "o: {q: 2}\n")));
  CHECK(hocon::test::resolved(source) == R"({"x":1,"o":{"p":1,"q":2}})");
}

TEST_SUITE_END();

}  // namespace actord::layers::test
