// SPDX-License-Identifier: Apache-2.0
//
// How an operator sees a finding.
#include "hocon/diagnostic.hpp"

#include "resolved.hpp"

namespace actord::hocon::test {

namespace {

std::string formatted(std::string_view text) {
  Source source;
  source.add_text("x.conf", std::string(text));
  const auto tree = source.resolve();
  REQUIRE_FALSE(tree);
  return format(tree.error());
}

}  // namespace

TEST_SUITE_BEGIN("hocon/diagnostic");

TEST_CASE("a finding shows place, line, caret and help") {
  CHECK(formatted("a = 1\nb {\n  url = http://x\n}") ==
        "x.conf:3:13: error: the character \":\" must be quoted [E0201]\n"
        "  3 |   url = \u2026\n"
        "    |         ^\n"
        "  help: put the whole address in double quotes: \"http://...\"\n");
}

TEST_CASE("the caret is as long as what it points at, in characters") {
  CHECK(formatted("é = ${ünde.fined} x")
            .find("  1 | é = ${ünde.fined} \u2026\n    |     ^^^^^^^^^^^^^\n") !=
        std::string::npos);
}

TEST_CASE("an unfinished text is shown where it begins, with the line where the file ends") {
  CHECK(formatted("a = \"\"\"x\ny\n") ==
        "x.conf:1:5: error: a \"\"\" string that is not closed [E0201]\n"
        "  1 | a = \u2026\n"
        "    |     ^\n"
        "  help: close it with \"\"\"\n"
        "  note: the file ends at line 3 inside it\n");
}

TEST_CASE("a very long line is cut around the place") {
  const std::string text =
      formatted(std::string(5000, 'x') + " = 1, " + std::string(5000, 'y') + " = ${z}");
  CHECK(text.size() < 400);
  CHECK(text.find("x.conf:1:10010: error:") == 0);
  CHECK(text.find(" | ...yyy") != std::string::npos);
  const std::size_t line = text.find("...yyy");
  const std::size_t caret = text.find('^');
  CHECK(text[line + (caret - text.find('\n', line) - 1) - 6] == '$');
}

TEST_CASE("control characters and broken bytes do not reach the terminal") {
  CHECK(formatted("\"\x1b[31m").find('\x1b') == std::string::npos);
  CHECK(formatted("\"k\x7f\" = [").find("  1 | \"k\xEF\xBF\xBD\" = [\n") != std::string::npos);
  CHECK(formatted("a =\t\xff\x80").find("  1 | \u2026\n    | ^\n") != std::string::npos);
  CHECK(quoted_for_message("a\nb\x1b") == "\"a\\nb\xEF\xBF\xBD\"");
  CHECK(quoted_for_message(std::string(100, 'x')).size() < 70);
}

TEST_CASE("a finding without a line is one line") {
  Diagnostic finding;
  finding.file = "x.conf";
  finding.message = "no such file";
  CHECK(format(finding) == "x.conf: error: no such file\n");
  finding.warning = true;
  CHECK(format(finding) == "x.conf: warning: no such file\n");
}

TEST_CASE("all unresolved substitutions are reported at once, in the order of their places") {
  Source source;
  source.add_text("x.conf", "b = ${x}\na = ${y} ${z}\nb = 1\nc = ${q}");
  const auto tree = source.resolve();
  REQUIRE_FALSE(tree);
  REQUIRE(tree.error().size() == 2);
  CHECK(brief(tree.error()[0]) == "2:5: the substitution ${y} has no value");
  CHECK(brief(tree.error()[1]) == "4:5: the substitution ${q} has no value");
}

TEST_CASE("nothing in a finding is obeyed by a terminal, and all of it is UTF-8") {
  Diagnostic finding;
  finding.file = "a\x1b[2J.conf";
  finding.message =
      "b\a\xC3 \xC2\x9B"
      "1m é";
  finding.help = "c\r\td";
  finding.note = "e\nf\x7F";
  CHECK(format(finding) ==
        "a�[2J.conf: error: b�� �1m é\n"
        "  help: c� d\n  note: e\n          f�\n");
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
