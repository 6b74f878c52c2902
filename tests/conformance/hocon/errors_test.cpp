// SPDX-License-Identifier: Apache-2.0
//
// Every error is reported with its place, in the order of the file.
#include "hocon_reading.hpp"

#include "hocon/source.hpp"

namespace actord::hocon::conformance {

namespace {

std::string report(std::string_view text) {
  Source source;
  source.add_text("x.conf", std::string(text));
  const auto tree = source.resolve();
  return tree ? "" : format(tree.error());
}

}  // namespace

TEST_SUITE_BEGIN("hocon/errors");

TEST_CASE("HOCON errors: a finding shows file, line, column, the line and a caret below") {
  const std::string text = report("a = 1\nb = ${no.such}\n");
  CHECK(text.starts_with("x.conf:2:5: error: the substitution ${no.such} has no value [E0203]\n"));
  CHECK(text.find("\n  2 | b = ${no.such}\n    |     ^^^^^^^^^^\n") != std::string::npos);
}

TEST_CASE("HOCON errors: a finding says how to mend it") {
  CHECK(report("a = ${b}\n").find("help: write ${?b}") != std::string::npos);
  CHECK(report("timeout = 1, a = ${timeuot}").find("did you mean ${timeout}?") !=
        std::string::npos);
  CHECK(report("a = http://x").find("help: put the whole address in double quotes") !=
        std::string::npos);
}

TEST_CASE(
    "HOCON errors: all substitutions without a value are reported, in the order of the file") {
  CHECK(places("a = ${x}\nb { c = ${y} }\nd = [1, ${z}]") == "1:5 2:9 3:9");
}

TEST_CASE("HOCON errors: a wrong value that several keys share is reported once") {
  CHECK(places("a = ${no}\nb = ${a}\nc = ${a}") == "1:5");
}

TEST_CASE("HOCON errors: one in each of several files, each with its place") {
  const Files files = {{"main.conf", "include \"b\"\ninclude \"c\"\nx = ?"},
                       {"b.conf", "x = ?"},
                       {"c.conf", "\ny = ?"}};
  refuses(files, "b.conf:1:5", "must be quoted");
}

TEST_CASE("HOCON errors: the limit says how many are reported") {
  std::string text;
  for (int i = 0; i < 80; ++i) text += "k" + std::to_string(i) + " = ${no}\n";
  const std::string all = places(text);
  CHECK(std::count(all.begin(), all.end(), ' ') == 49);
}

TEST_CASE("HOCON errors: an unclosed bracket is reported where it opens") {
  refuses("a {\n b = [1,\n 2\n", "2:6", "not closed");
  refuses("a {\n b {\n c = 1\n}", "1:3", "not closed");
}

TEST_CASE("HOCON errors: a tab counts as one column") {
  refuses("\ta = ?", "1:6", "must be quoted");
}

TEST_CASE("HOCON errors: places behind comments and carriage returns are right") {
  refuses("# é\r\n\r\n  a = 1 # ü\r\n  b = ?", "4:7", "must be quoted");
}

TEST_CASE("HOCON errors: a line too long for a screen is shown around the place") {
  const std::string text = report("a = [" + std::string(5000, 'x') + ", ?]");
  CHECK(text.starts_with("x.conf:1:5008: error: "));
  CHECK(text.size() < 600);
}

TEST_CASE("HOCON errors: control characters of a line do not reach the screen") {
  const std::string text = report("a = \"\x1b[31m\" ?");
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("HOCON errors: a value of the wrong type is reported where it was written") {
  Source source;
  source.add_text("x.conf", "a = 1\nb {\n  c = 5 sec\n}");
  const auto tree = source.resolve();
  REQUIRE(tree.ok());
  const auto duration = tree->find("b.c").as_duration_ns();
  REQUIRE_FALSE(duration.ok());
  CHECK(duration.error().line == 3);
  CHECK(duration.error().column == 7);
  CHECK(duration.error().message == "expected a duration, got \"5 sec\"");
}

TEST_CASE("HOCON errors: an error in a substituted value names both places") {
  Source source;
  source.add_text("x.conf", "a = nonsense\nb = ${a}");
  const auto tree = source.resolve();
  REQUIRE(tree.ok());
  const auto number = tree->find("b").as_int64();
  REQUIRE_FALSE(number.ok());
  CHECK(number.error().line == 2);
  CHECK(number.error().note == "the value comes from x.conf:1");
}

TEST_CASE("HOCON errors: a value knows the definitions that it replaced, newest first") {
  Source source;
  source.add_text("x.conf", "a = 1\na = 2");
  source.add_override("a = 3");
  const auto tree = source.resolve();
  REQUIRE(tree.ok());
  const std::vector<Overridden> overridden = tree->find("a").overridden();
  REQUIRE(overridden.size() == 2);
  CHECK(overridden[0].place == "x.conf:2");
  CHECK(overridden[0].text == "2");
  CHECK(overridden[1].place == "x.conf:1");
}

TEST_SUITE_END();

}  // namespace actord::hocon::conformance
