// SPDX-License-Identifier: Apache-2.0
//
// A } that is too many is reported where it stands, and not where the file ends.
#include "hocon/extra_brace.hpp"

#include "resolved.hpp"

namespace actord::hocon::test {

namespace {

// The finding of a text with braces that do not match.
Diagnostic finding_in(std::string_view text) {
  Source source;
  source.add_text("x.conf", std::string(text));
  const auto tree = source.resolve();
  REQUIRE_FALSE(tree);
  REQUIRE(tree.error().size() == 1);
  return tree.error().front();
}

std::string place_in(std::string_view text) {
  const Diagnostic finding = finding_in(text);
  return std::to_string(finding.line) + ':' + std::to_string(finding.column);
}

}  // namespace

TEST_SUITE_BEGIN("hocon/extra_brace");

TEST_CASE("a } too many at the end of a line is reported there, with the { that it closes") {
  const Diagnostic finding = finding_in(
      "actord {\n"
      "  user {\n"
      "    echo { behaviour = x } }\n"
      "  }\n"
      "  log { level = info }\n"
      "}\n");
  CHECK(finding.line == 3);
  CHECK(finding.column == 28);
  CHECK(finding.code == codes::syntax);
  CHECK(finding.message == "a } that is probably too many");
  CHECK(finding.help.starts_with("remove it"));
  CHECK(finding.note == "it closes the { of line 2, so that none is left for the } of line 6");
}

TEST_CASE("a } too many on a line of its own is the first that is indented too far") {
  CHECK(place_in("a {\n  b {\n    c = 1\n  }\n  }\n  d = 2\n}\n") == "5:3");
  CHECK(place_in("{\n  a {\n    b = 1\n  }\n  }\n  c = 2\n}\n") == "5:3");
}

TEST_CASE("braces of substitutions and within strings do not count") {
  CHECK(place_in("x = 1\na {\n  b = ${x}\n  c = \"} }\" # }\n  }\n  }\n}\n") == "5:3");
}

TEST_CASE("a closing brace behind the last field is a style, and no mistake") {
  CHECK(place_in("a {\n  b = 1 }\nc {\n  d = 1 }\n}\n") == "5:1");
}

TEST_CASE("where the indentation says nothing, the } without a { is reported") {
  CHECK(place_in("a { b = 1 } }\n") == "1:13");
  CHECK(place_in("a {\nb = 1\n}\n}\n") == "4:1");
  CHECK(finding_in("a = 1\n}\n").message == "a } without a { before it");
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
