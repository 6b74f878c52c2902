// SPDX-License-Identifier: Apache-2.0
//
// What a reader of another syntax may pass to the tree, and the result.
#include "hocon/literal_builder.hpp"

#include "resolved.hpp"
#include "support/scratch_folder.hpp"

namespace actord::hocon::test {

namespace {

using Style = LiteralBuilder::Style;

/// A syntax of lines "key value": gives an object of plain scalars.
void read_lines(std::string_view text, LiteralBuilder& builder) {
  builder.begin_object(builder.span(0));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t space = text.find(' ', begin);
    const bool good =
        builder.key(builder.span(begin, space - begin), text.substr(begin, space - begin)) &&
        builder.scalar(builder.span(space + 1, end - space - 1),
                       text.substr(space + 1, end - space - 1), Style::plain);
    if (!good) return;
    begin = end + 1;
  }
  builder.end();
}

/// The JSON, or the first finding, of a text that `reader` reads.
std::string json_or_finding(const SyntaxReader& reader, std::string text = "",
                            const Limits& limits = {}) {
  Source source(limits);
  source.set_syntax(".told", reader);
  source.add_text("x.told", std::move(text));
  return resolved(source);
}

}  // namespace

TEST_SUITE_BEGIN("hocon/literal_builder");

TEST_CASE("files of another syntax are layers like any other, and may be included") {
  const support::ScratchFolder folder;
  const std::string other = folder.write("x.lines", "port 90\nname x\n");
  const std::string main = folder.write("main.conf", R"(
    port = 80, url = "http://h:"${port}
    part { include "x.lines" }
    list = [ { include required("x.lines") } ])");
  Source source;
  source.set_syntax(".lines", &read_lines);
  REQUIRE(source.add_file(main));
  REQUIRE(source.add_file(other));
  CHECK(resolved(source) == R"({"port":90,"url":"http://h:90","part":{"port":90,"name":"x"},)"
                            R"("list":[{"port":90,"name":"x"}],"name":"x"})");
}

TEST_CASE("a name without ending does not stand for other syntaxes") {
  const support::ScratchFolder folder;
  folder.write("x.lines", "port 90\n");
  Source source;
  source.set_syntax(".lines", &read_lines);
  REQUIRE(source.add_file(folder.write("main.conf", "a = 1\ninclude \"x\"")));
  CHECK(resolved(source) == R"({"a":1})");
}

TEST_CASE("a plain scalar is what the word alone would be, a quoted one is text") {
  CHECK(json_or_finding([](std::string_view, LiteralBuilder& builder) {
          const SourceSpan here = builder.span(0);
          builder.begin_object(here);
          builder.key(here, "list");
          builder.begin_list(here);
          for (const char* word : {"true", "null", "1.50", "no", "0755", "${x}", "a.b", ""})
            builder.scalar(here, word, Style::plain);
          builder.scalar(here, "true", Style::quoted);
          builder.begin_object(here);
          builder.end();
          builder.end();
          builder.end();
        }) == R"({"list":[true,null,1.50,"no","0755","${x}","a.b","","true",{}]})");
}

TEST_CASE("keys are literal, and only other files may say them again") {
  CHECK(json_or_finding(&read_lines, "a.b 1\na 2\n") == R"({"a.b":1,"a":2})");
  CHECK(json_or_finding(&read_lines, "a 1\nb 2\na 3\n") ==
        R"(3:1: the key "a" stands twice in one object)");
}

TEST_CASE("places count lines and code points, forwards and back") {
  Source source;
  std::vector<SourceSpan> places;
  source.set_syntax(".told", [&](std::string_view, LiteralBuilder& builder) {
    for (const std::size_t at : {0, 3, 8, 13, 5, 0, 99}) places.push_back(builder.span(at, 3));
  });
  source.add_text("x.told", "aéé b\nüx\ny z\n");
  const auto is = [](const SourceSpan& place, unsigned line, unsigned column) {
    return place.at.line == line && place.at.column == column;
  };
  REQUIRE(places.size() == 7);
  CHECK(is(places[0], 1, 1));
  CHECK(places[0].length == 2);
  CHECK(is(places[1], 1, 3));
  CHECK(is(places[2], 2, 1));
  CHECK(is(places[3], 3, 2));
  CHECK(is(places[4], 1, 4));
  CHECK(is(places[5], 1, 1));
  CHECK(is(places[6], 4, 1));
}

TEST_CASE("what is wrong ends the file, and is said once") {
  Source source;
  source.set_syntax(".told", [](std::string_view, LiteralBuilder& builder) {
    CHECK(builder.begin_object(builder.span(0)));
    CHECK_FALSE(builder.fail(builder.span(2), "odd", "mend it"));
    CHECK_FALSE(builder.key(builder.span(0), "a"));
    CHECK_FALSE(builder.fail(builder.span(0), "odder"));
  });
  source.add_text("x.told", "abcd");
  const auto tree = source.resolve();
  REQUIRE_FALSE(tree);
  CHECK(format(tree.error()) ==
        "x.told:1:3: error: odd [E0201]\n  1 | \u2026\n    | ^\n  help: mend it\n");
}

TEST_CASE("the whole must be an object, or nothing") {
  const auto list = [](std::string_view, LiteralBuilder& builder) {
    builder.begin_list(builder.span(0));
    builder.end();
  };
  const auto word = [](std::string_view text, LiteralBuilder& builder) {
    builder.scalar(builder.span(0), text, Style::plain);
  };
  CHECK(json_or_finding(list, "x") == "1:1: a configuration is an object, not a list");
  CHECK(json_or_finding(word, "x") == "1:1: a configuration is an object, not a single value");
  CHECK(json_or_finding(word, "null") == "{}");
  CHECK(json_or_finding([](std::string_view, LiteralBuilder&) {}) == "{}");
}

TEST_CASE("the limits of a configuration hold here, too") {
  const auto nested = [](int levels) {
    return [levels](std::string_view, LiteralBuilder& builder) {
      bool good = builder.begin_object(builder.span(0)) && builder.key(builder.span(0), "a");
      for (int i = 0; i < levels && good; ++i) good = builder.begin_list(builder.span(0));
      for (int i = 0; i < levels && good; ++i) good = builder.end();
      if (good) builder.end();
    };
  };
  Limits limits;
  limits.nesting = 5;
  CHECK(json_or_finding(nested(5), "", limits) == R"({"a":[[[[[]]]]]})");
  CHECK(json_or_finding(nested(6), "", limits) == "1:1: nested deeper than 5 levels");
  limits.nodes = 2;
  CHECK(json_or_finding(&read_lines, "a 1\nb 2\n", limits) ==
        "2:3: the files have more than 2 values altogether");
  limits = {};
  limits.source_bytes = 1 << 20;
  CHECK(json_or_finding(
            [](std::string_view, LiteralBuilder& builder) {
              const std::string text(1000, 'x');
              builder.begin_list(builder.span(0));
              while (builder.scalar(builder.span(0), text, Style::plain)) {}
            },
            "", limits) == "1:1: the strings of one file take more than 1 MiB");
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
