// SPDX-License-Identifier: Apache-2.0
//
// The resolved tree as its readers see it: members, paths, places, conversions, errors.
#include "hocon/tree.hpp"

#include "base/suggestion.hpp"
#include "resolved.hpp"

namespace actord::hocon::test {

namespace {

Tree tree_of(std::string_view text) {
  Source source;
  source.add_text("t", std::string(text));
  auto tree = source.resolve();
  REQUIRE(tree);
  return *tree;
}

}  // namespace

TEST_SUITE_BEGIN("hocon/tree");

TEST_CASE("values are found by member, by path and by position, and an absent one says so") {
  const Tree tree = tree_of("a { b = [1, { c = x }], \"d.e\" = 2 }");
  CHECK(tree.find("a.b").size() == 2);
  CHECK(tree.find("a.\"d.e\"").text() == "2");
  CHECK(tree.root().at(0).key == "a");
  CHECK(tree.find("a").at(1).key == "d.e");
  CHECK(tree.find("a.b").at(1).value.member("c").text() == "x");
  CHECK_FALSE(tree.find("a.x"));
  CHECK_FALSE(tree.find("a.b.c"));
  CHECK_FALSE(tree.find("a..b"));
  CHECK_FALSE(tree.find("a.x").member("y"));
  CHECK(Tree().root().size() == 0);
}

TEST_CASE("a value knows its path, its key and its parent") {
  const Tree tree = tree_of("a { \"b.c\" = [1, { d = x }] }");
  const Value d = tree.find("a.\"b.c\"").at(1).value.member("d");
  CHECK(d.path() == "a.\"b.c\"[1].d");
  CHECK(d.key() == "d");
  CHECK(d.parent().path() == "a.\"b.c\"[1]");
  CHECK(tree.root().path().empty());
  CHECK_FALSE(tree.root().parent());
}

TEST_CASE("a value that a substitution brought has the path of its new place and both origins") {
  const Tree tree = tree_of("vars { cap = 5, o { p = 1 } }\nbox = ${vars.cap}\ncopy = ${vars.o}");
  const Value box = tree.find("box");
  CHECK(box.origin() == Origin{1, 2, 7});
  CHECK(box.source_origin() == Origin{1, 1, 14});
  CHECK(box.origin_text() == "t:2");
  CHECK(box.file() == "t");
  CHECK(tree.find("copy.p").path() == "copy.p");
  CHECK(tree.find("vars.o.p").path() == "vars.o.p");
}

TEST_CASE("columns count characters, not bytes") {
  const Tree tree = tree_of("\"é\" = x, b = y");
  CHECK(tree.find("b").origin() == Origin{1, 1, 14});
}

TEST_CASE("the definitions that a value replaced are listed newest first") {
  const Tree tree = tree_of("a = 1\na = two words\nb = ${a}\na = 3\nb = 4");
  const auto replaced = tree.find("a").overridden();
  REQUIRE(replaced.size() == 2);
  CHECK(replaced[0].place == "t:2");
  CHECK(replaced[0].text == "two words");
  CHECK(replaced[1].text == "1");
  REQUIRE(tree.find("b").overridden().size() == 1);
  CHECK(tree.find("b").overridden()[0].text == "${a}");
}

TEST_CASE("typed reads convert as HOCON says") {
  const Tree tree = tree_of(
      "yes = yes, t = true, i = 42, s = \"42\", f = 2.5, w = 3.0, d = 5 s, ms = 100, b = 64 MiB, n "
      "= null,"
      "list = [1, 2], numbered { \"1\" = y, \"0\" = x, other = z }, o { a = 1 }");
  CHECK(*tree.find("yes").as_bool());
  CHECK(*tree.find("t").as_bool());
  CHECK(*tree.find("i").as_int64() == 42);
  CHECK(*tree.find("s").as_int64() == 42);
  CHECK(*tree.find("w").as_int64() == 3);
  CHECK(*tree.find("f").as_double() == 2.5);
  CHECK(*tree.find("f").as_string() == "2.5");
  CHECK(*tree.find("t").as_string() == "true");
  CHECK(*tree.find("d").as_duration_ns() == 5'000'000'000);
  CHECK(*tree.find("ms").as_duration_ns() == 100'000'000);
  CHECK(*tree.find("b").as_bytes() == 64 << 20);
  CHECK(tree.find("list").as_list()->size() == 2);
  CHECK(tree.find("numbered").as_list()->front().text() == "x");
  CHECK(tree.find("numbered").as_list()->size() == 2);
  CHECK_FALSE(tree.find("n").as_string());
  CHECK_FALSE(tree.find("n").as_int64());
  CHECK_FALSE(tree.find("i").as_bool());
  CHECK_FALSE(tree.find("f").as_int64());
  CHECK_FALSE(tree.find("o").as_list());
  CHECK_FALSE(tree.find("o").as_string());
  CHECK_FALSE(tree.find("list").as_string());
}

TEST_CASE("a read that fails points at the value and says what was wanted") {
  const Tree tree = tree_of("a {\n  timeout = 5 sec\n  n = 3.5\n  big = 70000\n  o { }\n}");
  const auto timeout = tree.find("a.timeout").as_duration_ns();
  REQUIRE_FALSE(timeout);
  CHECK(timeout.error().file == "t");
  CHECK(brief(timeout.error()) == "2:13: expected a duration, got \"5 sec\"");
  CHECK(timeout.error().length == 5);
  CHECK(timeout.error().help.starts_with("units are ns"));
  CHECK(brief(tree.find("a.n").as_int64().error()) == "3:7: expected a whole number, got 3.5");
  CHECK(brief(tree.find("a.big").as_int64(1, 65535).error()) ==
        "4:9: expected a whole number from 1 to 65535, got 70000");
  CHECK(brief(tree.find("a.o").as_bool().error()) == "5:5: expected a boolean, got an object");
  CHECK(brief(tree.find("a.n").reject("too small")) == "3:7: too small");
  CHECK(tree.find("a.n").warn("too small").warning);
}

TEST_CASE("the error for a value that came from elsewhere says where it came from") {
  const Tree tree = tree_of("v = x\na = ${v}");
  CHECK(tree.find("a").as_bool().error().note == "the value comes from t:1");
  CHECK(tree.find("v").as_bool().error().note.empty());
}

TEST_CASE("the nearest name within two edits is suggested, one edit for short names") {
  const Tree tree = tree_of("timeout = 1, port = 2, log-level = 3");
  CHECK(tree.root().nearest("timeuot") == "timeout");
  CHECK(tree.root().nearest("prot") == "port");
  CHECK(tree.root().nearest("loglevel") == "log-level");
  CHECK(tree.root().nearest("pots").empty());
  CHECK(tree.root().nearest("something").empty());
  CHECK(base::nearest_of("a", {"b", "ab"}) == "ab");
  CHECK(base::nearest_of("a", {"b"}).empty());  // with one letter any other letter would be near
  CHECK(base::edit_distance("abcd", "acbd", 2) == 1);
  CHECK(base::edit_distance("kitten", "sitting", 2) == 3);
}

TEST_CASE("a tree outlives its source, and copies share it") {
  Tree copy;
  {
    const Tree tree = tree_of("a = \"x\\ny\" z, b = ${a}${a}, c = 1\nc = ${c}2");
    copy = tree;
  }
  CHECK(copy.find("a").text() == "x\ny z");
  CHECK(copy.find("b").text() == "x\ny zx\ny z");
  CHECK(copy.find("c").text() == "12");
}

TEST_CASE("rendering gives JSON, in one line or pretty, and reads back as the same") {
  const Tree tree = tree_of("a { b = [1, \"x\\u0001\\\"\", {}], c = [] }, d = null");
  CHECK(render_json(tree.root(), false) == R"({"a":{"b":[1,"x\u0001\"",{}],"c":[]},"d":null})");
  const std::string pretty = render_json(tree.root(), true);
  CHECK(pretty.starts_with("{\n  \"a\": {\n    \"b\": [\n      1,\n"));
  CHECK(render_json(tree_of(pretty).root(), true) == pretty);
  CHECK(render_json(tree.find("a.c"), false) == "[]");
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
