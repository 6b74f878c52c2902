// SPDX-License-Identifier: Apache-2.0
#include "sdk/config_value.hpp"

#include <doctest/doctest.h>

#include "hocon/source.hpp"
#include "message/message_type.hpp"

using namespace actord;
using message::to_c;
using message::view;

namespace {

hocon::Tree tree_of(const std::string& text) {
  hocon::Source source;
  source.add_text("test.conf", text);
  auto tree = source.resolve();
  REQUIRE(tree.ok());
  return *tree;
}

// A config with a reader around it; its members are found by name.
struct Config {
  explicit Config(const std::string& text, sdk::ConfigReader::Find find = {})
      : reader(tree_of(text), std::move(find)) {}

  actord_value root() const { return reader.value(reader.tree().root()); }
  actord_value operator[](std::string_view name) const { return reader.member(root(), to_c(name)); }

  sdk::ConfigReader reader;
};

// What `read` makes of the value; nothing if the value has another type.
template <class T, class Read>
std::optional<T> as(actord_value value, Read read) {
  T out{};
  return (value.reader->*read)(value, &out) != 0 ? std::optional<T>{out} : std::nullopt;
}
std::optional<std::string> text_of(actord_value value) {
  const auto text = as<actord_str>(value, &actord_reader::text);
  return text ? std::optional<std::string>{view(*text)} : std::nullopt;
}

struct Report : actord_errors {
  Report()
      : actord_errors{[](actord_errors* self, const actord_failure* failure) {
          auto& to = *static_cast<Report*>(self);
          for (std::uint32_t i = 0; i < failure->n_types; ++i)
            to.types.emplace_back(view(failure->types[i]));
          to.what = view(failure->what);
        }} {}

  std::vector<std::string> types;
  std::string what;
};

}  // namespace

TEST_SUITE_BEGIN("sdk/config_value");

TEST_CASE("a value knows its kind; text stays text even if it reads as a number") {
  const Config config("b = true, i = 5, d = 5.5, s = \"5\", n = null, l = [1], m { a = 1 }");
  const auto kind = [&](std::string_view name) { return config.reader.kind(config[name]); };
  CHECK(kind("b") == ACTORD_BOOL);
  CHECK(kind("i") == ACTORD_INT);
  CHECK(kind("d") == ACTORD_DOUBLE);
  CHECK(kind("s") == ACTORD_TEXT);
  CHECK(kind("n") == ACTORD_NULL);
  CHECK(kind("l") == ACTORD_LIST);
  CHECK(kind("m") == ACTORD_MAP);
}

TEST_CASE("a member that is null is not there, and an element of a list that is null is") {
  const Config config("gone = null, m { a = null, b = 2, c = null, d = 4 }, l = [null, 1]");
  CHECK(config["gone"].node == nullptr);
  const actord_value m = config["m"];
  REQUIRE(config.reader.size(m) == 2);
  actord_str key{};
  CHECK(as<std::int64_t>(config.reader.at(m, 0, &key), &actord_reader::integer) == 2);
  CHECK(as<std::int64_t>(config.reader.at(m, 1, &key), &actord_reader::integer) == 4);
  CHECK(view(key) == "d");
  CHECK(config.reader.at(m, 2, &key).node == nullptr);
  CHECK(config.reader.size(config["l"]) == 2);
}

// With a quadratic algorithm this would take minutes.
TEST_CASE("an object of very many members, some of them null, is gone through one by one") {
  constexpr int pairs = 200'000;
  std::string text = "m {\n";
  for (int i = 0; i < pairs; ++i)
    text.append("gone").append(std::to_string(i)).append(" = null\nk") +=
        std::to_string(i) + " = " + std::to_string(i) + "\n";
  const Config config(text + "}");
  const actord_value m = config["m"];
  REQUIRE(config.reader.size(m) == pairs);
  for (int i = 0; i < pairs; ++i) {
    actord_str key{};
    const actord_value member = config.reader.at(m, static_cast<std::size_t>(i), &key);
    REQUIRE(view(key) == "k" + std::to_string(i));
    REQUIRE(as<std::int64_t>(member, &actord_reader::integer) == i);
  }
}

TEST_CASE("values convert as HOCON does") {
  const Config config(
      R"(yes = "yes", on = on, five = "5", three = 3.0, big = 18446744073709551615, half = "0.5",
                         word = a b, wait = 5 s, ms = 250, size = 64k, list = [1], minus = -1)");
  CHECK(as<std::int32_t>(config["yes"], &actord_reader::boolean) == 1);
  CHECK(as<std::int32_t>(config["on"], &actord_reader::boolean) == 1);
  CHECK_FALSE(as<std::int32_t>(config["five"], &actord_reader::boolean));
  CHECK(as<std::int64_t>(config["five"], &actord_reader::integer) == 5);
  CHECK(as<std::int64_t>(config["three"], &actord_reader::integer) == 3);
  CHECK_FALSE(as<std::int64_t>(config["half"], &actord_reader::integer));
  CHECK_FALSE(as<std::int64_t>(config["big"], &actord_reader::integer));
  CHECK(as<std::uint64_t>(config["big"], &actord_reader::natural) == UINT64_MAX);
  CHECK_FALSE(as<std::uint64_t>(config["minus"], &actord_reader::natural));
  CHECK(as<double>(config["half"], &actord_reader::real) == 0.5);
  CHECK(text_of(config["word"]) == "a b");
  CHECK(text_of(config["five"]) == "5");
  CHECK(text_of(config["minus"]) == "-1");
  CHECK_FALSE(text_of(config["list"]));
  CHECK(as<std::int64_t>(config["wait"], &actord_reader::duration) == 5'000'000'000);
  CHECK(as<std::int64_t>(config["ms"], &actord_reader::duration) == 250'000'000);
  CHECK(as<std::int64_t>(config["size"], &actord_reader::bytes) == 65536);
}

TEST_CASE("members and elements are walked in the order of the file") {
  const Config config("m { z = 1, a = 2 }, l = [x, y]");
  const actord_reader& r = config.reader;
  CHECK(r.size(config["m"]) == 2);
  actord_str key{};
  CHECK(text_of(r.at(config["m"], 0, &key)) == "1");
  CHECK(view(key) == "z");
  CHECK(text_of(r.at(config["l"], 1, nullptr)) == "y");
  CHECK(r.at(config["l"], 2, nullptr).node == nullptr);
}

TEST_CASE("a member is found with hyphens for underscores; its literal name goes before") {
  const Config config("max-attempts = 1, max_pages = 2, max-pages = 3, max-page_size = 4");
  CHECK(text_of(config["max_attempts"]) == "1");
  CHECK(text_of(config["max_pages"]) == "2");
  CHECK(text_of(config["max_page_size"]) == "4");
  CHECK(config["maxattempts"].node == nullptr);
}

TEST_CASE("an absent value is nothing, and asking it is harmless") {
  const Config config("a = 1");
  const actord_value absent = config["b"];
  const actord_reader& r = config.reader;
  CHECK(absent.node == nullptr);
  CHECK(r.kind(absent) == ACTORD_NULL);
  CHECK(r.size(absent) == 0);
  CHECK(r.member(absent, ACTORD_STR("c")).node == nullptr);
  CHECK_FALSE(as<std::int32_t>(absent, &actord_reader::boolean));
  CHECK_FALSE(text_of(absent));
}

TEST_CASE("a ref is the path of a living actor") {
  const Config config("to = /user/x, other = /user/y", [](std::string_view path) -> actord_ref {
    return path == "/user/x" ? 7 : 0;
  });
  CHECK(as<actord_ref>(config["to"], &actord_reader::ref) == 7);
  CHECK_FALSE(as<actord_ref>(config["other"], &actord_reader::ref));
  CHECK_FALSE(as<actord_ref>(Config("to = /user/x")["to"], &actord_reader::ref));
}

TEST_CASE("a value that is rejected is shown where it stands") {
  const Config config("a {\n  workers = many\n}\n");
  Report report;
  const actord_value workers = config.reader.member(config["a"], ACTORD_STR("workers"));
  CHECK(config.reader.reject(workers, ACTORD_STR("expected an integer"), &report) == ACTORD_FAILED);
  CHECK(report.types.front() == "actord::ConfigError");
  CHECK(report.types.back() == "std::exception");
  CHECK(report.what ==
        "test.conf:2:13: error: a.workers: expected an integer [E0303]\n"
        "  2 |   workers = many\n"
        "    |             ^^^^");
}

TEST_CASE("what is missing altogether is rejected without a place") {
  const Config config("a = 1");
  Report report;
  CHECK(config.reader.reject(config["b"], ACTORD_STR("needs start"), &report) == ACTORD_FAILED);
  CHECK(report.what == "config: needs start");
}

TEST_CASE("values stay good when the tree they were made from is gone") {
  auto tree = std::make_unique<hocon::Tree>(tree_of("a = kept"));
  const sdk::ConfigReader reader(*tree);
  const actord_value value = reader.value(tree->find("a"));
  tree.reset();
  CHECK(text_of(value) == "kept");
}

TEST_SUITE_END();
