// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <actord/actord.hpp>

#include <map>

#include "unit/sdk/fake_values.hpp"

using namespace std::chrono_literals;
using fake::Node;

namespace vault {

enum class Mode { fast, very_careful };
ACTORD_ENUM(Mode, fast, very_careful)

struct Shelf {
  Mode mode = Mode::fast;
};
ACTORD_FIELDS(Shelf, mode)

struct Chaos {
  std::chrono::milliseconds pause{10};
  double share = 0.05;

  static std::vector<actord::About> about() {
    return {actord::about(&Chaos::pause).at_least(1ms),
            actord::about(&Chaos::share).between(0, 0.5)};
  }
};
ACTORD_FIELDS(Chaos, pause, share)

struct Config {
  actord::Required<std::string> url;
  std::optional<std::uint32_t> pin;
  actord::Bytes buffer{64};
  std::int32_t plain = -3;
  Chaos chaos;
  std::vector<Shelf> shelves{Shelf{}};
  std::string title = "a \"b\"\n";
  Mode mode = Mode::very_careful;
  std::vector<std::string> tags{"x", "y"};
  std::map<std::string, int> limits{{"a", 1}, {"b", 2}};
  bool is_open = true;
  std::optional<std::string> owner;

  static std::vector<actord::About> about() {
    return {actord::about(&Config::url).doc("Where it is."),
            actord::about(&Config::pin).between(1000, 9999).secret(),
            actord::about(&Config::buffer).at_most({4096})};
  }
};
ACTORD_FIELDS(Config, url, pin, buffer, plain, chaos, shelves, title, mode, tags, limits, is_open,
              owner)

struct Site {
  actord::Required<std::string> root;
  std::string host = "127.0.0.1";
  std::uint16_t http_port = 80;

  static std::vector<actord::About> about() {
    return {actord::about(&Site::root).folder().readable().writable(),
            actord::about(&Site::http_port).port(&Site::host)};
  }
};
ACTORD_FIELDS(Site, root, host, http_port)

struct Door {
  Site site;
  std::optional<std::string> log, mirror;
  std::string any = "redis://127.0.0.1";

  static std::vector<actord::About> about() {
    return {actord::about(&Door::log).file().writable().in_state_directory("vault"),
            actord::about(&Door::mirror).url({"http", "https"}), actord::about(&Door::any).url()};
  }
};
ACTORD_FIELDS(Door, site, log, mirror, any)

struct Ranges {
  double share = 0;
  int plain = 0;
  std::chrono::nanoseconds pause{};
  static std::vector<actord::About> about() {
    return {actord::about(&Ranges::share).between(0, 0.5),
            actord::about(&Ranges::plain).at_least(-3), actord::about(&Ranges::pause).at_most(2s)};
  }
};
ACTORD_FIELDS(Ranges, share, plain, pause)

}  // namespace vault

namespace {

const actord_config_key* key_of(std::string_view path) {
  for (const actord_config_key* const key : actord::detail::config_keys<vault::Config>()) {
    if (actord::detail::view(key->path) == path) return key;
  }
  return nullptr;
}

// The error of reading it; empty if there is none.
std::string complaint_about(const Node& config) {
  vault::Config settings;
  const bool is_read =
      actord::detail::read_data(config.value(), actord::detail::data_type<vault::Config>, &settings,
                                nullptr) == ACTORD_OK;
  return is_read ? std::string{} : fake::complaint();
}

Node with(const char* key, const Node& value) {
  return Node::map({{"url", Node::of("here")}, {key, value}});
}

}  // namespace

TEST_SUITE_BEGIN("sdk/config_table");

TEST_CASE("what the author says of a member stands in the table") {
  REQUIRE(key_of("url") != nullptr);
  CHECK(key_of("url")->flags == ACTORD_REQUIRED);
  CHECK(actord::detail::view(key_of("url")->doc) == "Where it is.");
  REQUIRE(key_of("pin") != nullptr);
  CHECK(key_of("pin")->flags == ACTORD_SECRET);
  CHECK(key_of("pin")->least.kind == ACTORD_UINT);
  CHECK(key_of("pin")->least.value.u == 1000);
  CHECK(key_of("pin")->most.value.u == 9999);
  REQUIRE(key_of("buffer") != nullptr);
  CHECK(key_of("buffer")->flags == ACTORD_SIZE);
  CHECK(key_of("buffer")->least.kind == ACTORD_NULL);
  CHECK(key_of("buffer")->most.value.i == 4096);
}

TEST_CASE("members of members stand below their path, elements of a list below a star") {
  REQUIRE(key_of("chaos.pause") != nullptr);
  CHECK(key_of("chaos.pause")->least.kind == ACTORD_DURATION);
  CHECK(key_of("chaos.pause")->least.value.i == 1'000'000);
  CHECK(key_of("chaos.share")->most.value.d == 0.5);
  const actord_config_key* const mode = key_of("shelves.*.mode");
  REQUIRE(mode != nullptr);
  REQUIRE(mode->n_words == 2);
  CHECK(actord::detail::view(mode->words[1]) == "very_careful");
}

TEST_CASE("a member of which its type says all is not in the table") {
  CHECK(key_of("chaos") == nullptr);
  CHECK(key_of("owner") == nullptr);
}

TEST_CASE("the default of a member stands in the table as a configuration writes it") {
  const std::pair<const char*, const char*> rows[] = {{"plain", "-3"},
                                                      {"buffer", "64"},
                                                      {"chaos.pause", "10 ms"},
                                                      {"chaos.share", "0.05"},
                                                      {"title", R"("a \"b\"\u000a")"},
                                                      {"mode", "very-careful"},
                                                      {"tags", R"(["x", "y"])"},
                                                      {"limits", R"({"a" = 1, "b" = 2})"},
                                                      {"is_open", "true"},
                                                      {"shelves.*.mode", "fast"}};
  for (const auto& [path, text] : rows) {
    CAPTURE(path);
    REQUIRE(key_of(path) != nullptr);
    CHECK(actord::detail::view(key_of(path)->default_value) == text);
  }
}

TEST_CASE("no default is told of a needed member, of a secret, of an optional and of structs") {
  for (const char* path : {"url", "pin"}) {
    CAPTURE(path);
    CHECK(actord::detail::view(key_of(path)->default_value).empty());
  }
  CHECK(key_of("shelves") == nullptr);  // its elements are structs
}

TEST_CASE("what a value names outside the configuration stands in the table") {
  const auto key_of = [](std::string_view path) {
    for (const actord_config_key* const key : actord::detail::config_keys<vault::Door>()) {
      if (actord::detail::view(key->path) == path) return *key;
    }
    return actord_config_key{};
  };
  CHECK(key_of("site.root").resource == ACTORD_FOLDER);
  CHECK(key_of("site.root").use == (ACTORD_READS | ACTORD_WRITES));
  CHECK(key_of("site.http_port").resource == ACTORD_PORT);
  CHECK(actord::detail::view(key_of("site.http_port").address_key) == "site.host");
  CHECK(key_of("site.host").resource == 0);
  CHECK(key_of("log").resource == ACTORD_FILE);
  CHECK(key_of("log").use == (ACTORD_WRITES | ACTORD_IN_STATE_DIRECTORY));
  CHECK(actord::detail::view(key_of("log").folder) == "vault");
  CHECK(key_of("mirror").resource == ACTORD_URL);
  REQUIRE(key_of("mirror").n_schemes == 2);
  CHECK(actord::detail::view(key_of("mirror").schemes[1]) == "https");
  CHECK(key_of("any").resource == ACTORD_URL);
  CHECK(key_of("any").n_schemes == 0);
}

TEST_CASE("a value out of range is refused by the config itself, too") {
  CHECK(complaint_about(with("pin", Node::of(999))) == "expected 1000 to 9999");
  CHECK(complaint_about(with("pin", Node::of(10'000))) == "expected 1000 to 9999");
  CHECK(complaint_about(with("pin", Node::of(9999))).empty());
  CHECK(complaint_about(with("chaos", Node::map({{"pause", Node::ns(0)}}))) ==
        "expected at least 1 ms");
  CHECK(complaint_about(with("chaos", Node::map({{"pause", Node::ns(1'000'000)}}))).empty());
}

TEST_CASE("ranges are given in words") {
  const auto complaint = [](const char* key, const Node& value) {
    vault::Ranges ranges;
    const Node config = Node::map({{key, value}});
    CHECK(actord::detail::read_data(config.value(), actord::detail::data_type<vault::Ranges>,
                                    &ranges, nullptr) == ACTORD_FAILED);
    return fake::complaint();
  };
  CHECK(complaint("share", Node::of(0.75)) == "expected 0 to 0.5");
  CHECK(complaint("plain", Node::of(-4)) == "expected at least -3");
  CHECK(complaint("pause", Node::ns(2'000'000'001)) == "expected at most 2 s");
}

TEST_SUITE_END();
