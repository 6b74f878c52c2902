// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::schema;
using namespace actord::settings;

namespace {

// reference.conf with every key switched on, unless another key excludes it, and with example
// names.
std::string everything() {
  std::string text;
  std::istringstream in{std::string{reference_text()}};
  for (std::string line; std::getline(in, line);) {
    const std::size_t mark = line.find_first_not_of(' ');
    const bool is_key = mark != line.npos && line[mark] == '#' && line.size() > mark + 1 &&
                        line[mark + 1] != ' ' && line[mark + 1] != '#';
    if (is_key) line.erase(mark, 1);
    text += line + '\n';
  }
  constexpr std::string_view pattern = "\"PATTERN\"";
  text.replace(text.find(pattern), pattern.size(), "\"/user/NAME\"");
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("schema/reference");

TEST_CASE("with every example switched on it is a right configuration") {
  const auto settings = try_read(everything());
  INFO(errors_of(settings));
  REQUIRE(settings.ok());
  CHECK(settings->user.size() == 3);
}

TEST_CASE("every key of the schema is read") {
  std::set<std::string> asked;
  ReadOptions options = lonely();
  options.keys_read = &asked;
  REQUIRE(read_settings(*tree_of(everything()), options).ok());
  for (const SettingKey& key : schema::keys()) {
    INFO(key.path);
    CHECK((key.path == "actord" || asked.contains(std::string{key.path})));
  }
}

TEST_CASE("every key stands in it, under its own name, with its range and when a change holds") {
  const std::string text{reference_text()};
  for (const SettingKey& key : schema::keys()) {
    if (key.own_name() == "*") continue;
    INFO(key.path);
    CHECK(text.find(std::string{key.own_name()}) != std::string::npos);
  }
  CHECK_HAS(text, "    # Range: error | warning | info | debug. Live.\n    level = info\n");
  CHECK_HAS(text, "Range: unlimited | never | a number. Default: unlimited. Live.\n");
  CHECK_HAS(text,
            "          # Range: a duration of more than 0. Needed. Live.\n          #min = 3 s\n");
  CHECK_HAS(text, "          ##forward = \"/user/NAME\"\n");
}

TEST_CASE("its lines are no longer than a page is wide") {
  std::istringstream in{std::string{reference_text()}};
  for (std::string line; std::getline(in, line);) {
    CAPTURE(line);
    CHECK(line.size() <= 100);
    CHECK_FALSE(line.ends_with(' '));
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
    INFO(errors_of(settings));
    REQUIRE(settings.ok());
    CHECK(settings->warnings.empty());
  }
}

TEST_SUITE_END();
