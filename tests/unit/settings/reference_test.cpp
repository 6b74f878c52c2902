// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

namespace {

// What a line of reference.conf is. Keys without a default are commented out with a # and no blank.
struct Line {
  bool is_comment = false;
  bool is_blank = false;
  std::string text;  // without indent, and without the # of a key
};

Line line_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (text.empty()) return {false, true, {}};
  if (text[0] != '#') return {false, false, std::string{text}};
  if (text.size() == 1 || text[1] == ' ') return {true, false, std::string{text}};
  return {false, false, std::string{text.substr(1)}};
}

std::vector<Line> lines() {
  std::vector<Line> all;
  std::istringstream in{std::string{reference_text()}};
  for (std::string text; std::getline(in, text);) all.push_back(line_of(text));
  return all;
}

// reference.conf with every key switched on, and names that stand for the reader's.
std::string everything() {
  std::string text;
  for (const Line& line : lines()) text += line.text + '\n';
  constexpr std::string_view pattern = "\"PATTERN\"";
  text.replace(text.find(pattern), pattern.size(), "\"/user/NAME\"");
  return text;
}

void collect(const hocon::Value& object, const std::string& path, std::set<std::string>& keys) {
  for (std::size_t i = 0; object.is_object() && i < object.size(); ++i) {
    const hocon::Member member = object.at(i);
    const bool is_name =
        member.key.starts_with("NAME") || member.key == "/user/NAME" || member.key == "TYPE";
    const std::string key = path + '.' + (is_name ? "*" : std::string{member.key});
    keys.insert(key);
    collect(member.value, key, keys);
  }
}

}  // namespace

TEST_SUITE_BEGIN("settings/reference");

TEST_CASE("every key that is read stands in reference.conf, and every key there is read") {
  hocon::Source source;
  source.add_text("reference.conf", everything());
  const auto tree = source.resolve();
  INFO(told(tree));
  REQUIRE(tree.ok());
  std::set<std::string> documented;
  collect(tree->root().member("actord"), "actord", documented);

  std::set<std::string> asked;
  ReadOptions options = lonely();
  options.keys_asked = &asked;
  const auto settings = read_settings(*tree, options);
  INFO(told(settings));
  REQUIRE(settings.ok());
  for (const std::string& key : asked) {
    INFO(key, " is read, but not documented");
    CHECK(documented.contains(key));
  }
  for (const std::string& key : documented) {
    INFO(key, " is documented, but not read");
    CHECK(asked.contains(key));
  }
}

TEST_CASE("every key says its range and when a change holds") {
  std::string comment;
  for (const Line& line : lines()) {
    if (line.is_comment) {
      comment += line.text;
      continue;
    }
    const bool is_key = !line.is_blank && !line.text.ends_with("{") && !line.text.starts_with("}");
    if (is_key) {
      INFO(line.text);
      CHECK(comment.find("Range: ") != std::string::npos);
      CHECK((comment.find("Restart.") != std::string::npos ||
             comment.find("Live.") != std::string::npos));
    }
    comment.clear();
  }
}

TEST_CASE("the defaults resolve without any other layer") {
  hocon::Source source;
  source.add_text("reference.conf", std::string{reference_text()});
  const auto tree = source.resolve();
  REQUIRE(tree.ok());
  CHECK(tree->root().size() == 1);
  CHECK(read_settings(*tree, lonely()).ok());
}

TEST_CASE("the configurations that come with actord are right") {
  const std::filesystem::path config =
      std::filesystem::path(__FILE__).parent_path() / "../../../config";
  for (const char* name : {"actord.conf", "examples/echo.conf", "examples/crawler.conf"}) {
    hocon::Source source;
    source.add_text("reference.conf", std::string{reference_text()});
    REQUIRE(source.add_file((config / name).string()).ok());
    const auto tree = source.resolve();
    REQUIRE(tree.ok());
    const auto settings = read_settings(*tree, lonely());
    INFO(told(settings));
    REQUIRE(settings.ok());
    CHECK(settings->warnings.empty());
  }
}

TEST_SUITE_END();
