// SPDX-License-Identifier: Apache-2.0
//
// validate(): what its author writes, and what the host is told.
#include <doctest/doctest.h>

#include <actord/actord.hpp>

#include "unit/sdk/fake_values.hpp"

using fake::Node;

namespace mill {

struct Stone {
  int grain = 1;
};
ACTORD_FIELDS(Stone, grain)

struct Config {
  int first = 0;
  int last_row = 9;
  Stone stone;
  std::vector<Stone> spares;
  std::string log = "mill.log";

  static std::vector<actord::About> about() {
    return {actord::about(&Config::log).file().writable().in_state_directory("mill")};
  }
};
ACTORD_FIELDS(Config, first, last_row, stone, spares, log)

struct Mill : actord::Actor {
  using Config = mill::Config;
  using Receive = actord::Handlers<>;

  explicit Mill(const Config&) { ++built; }
  static void validate(const Config& config, actord::Findings& findings) {
    if (config.first > config.last_row)
      findings.reject(&Config::last_row, "must be at least first");
    if (config.stone.grain < 0)
      findings.at(&Config::stone).reject(&Stone::grain, "must not be negative");
    for (std::size_t i = 0; i < config.spares.size(); ++i) {
      if (config.spares[i].grain < 0)
        findings.at(&Config::spares).at(i).reject(&Stone::grain, "must not be negative");
    }
    if (config.first == 13) throw std::runtime_error("unlucky");
    if (findings.empty() && config.last_row == 99) findings.reject("is wrong as a whole");
  }

  static inline int built = 0;
};

struct Plain : actord::Actor {
  using Config = mill::Config;
  using Receive = actord::Handlers<>;
  explicit Plain(const Config&) {}
};

}  // namespace mill

namespace {

/// What the host is told: each rejected value with the reason, and failures that are reported.
struct Told : actord_errors {
  Told() {
    report = [](actord_errors* self, const actord_failure* failure) {
      static_cast<Told*>(self)->failures.emplace_back(actord::detail::view(failure->what));
    };
  }
  std::vector<std::string> failures;
};

std::vector<std::pair<const void*, std::string>> rejected;

actord_value with_host(const Node& config) {
  static const actord_reader reader = [] {
    actord_reader made = Node::reader();
    made.reject = [](actord_value at, actord_str reason, actord_errors*) -> actord_status {
      rejected.emplace_back(at.node, std::string{reason.data, reason.size});
      return ACTORD_FAILED;
    };
    made.member = [](actord_value in, actord_str name) -> actord_value {
      return {in.reader, Node::reader().member(in, name).node};
    };
    made.at = [](actord_value in, std::size_t i, actord_str* key) -> actord_value {
      return {in.reader, Node::reader().at(in, i, key).node};
    };
    return made;
  }();
  rejected.clear();
  return {&reader, &config};
}

actord_status validate(const Node& config, Told& told) {
  return actord::detail::behaviour_table<mill::Mill>()->validate(with_host(config), &told);
}

}  // namespace

TEST_SUITE_BEGIN("sdk/findings");

TEST_CASE("a behaviour without validate() has no function in its table") {
  const bool plain_has_one = actord::detail::behaviour_table<mill::Plain>()->validate != nullptr;
  const bool mill_has_one = actord::detail::behaviour_table<mill::Mill>()->validate != nullptr;
  CHECK_FALSE(plain_has_one);
  CHECK(mill_has_one);
}

TEST_CASE("a combination of values is rejected at the key that is at fault") {
  const Node config = Node::map({{"first", Node::of(5)}, {"last_row", Node::of(3)}});
  Told told;
  CHECK(validate(config, told) == ACTORD_FAILED);
  REQUIRE(rejected.size() == 1);
  CHECK(rejected[0].first == &config.children[1]);
  CHECK(rejected[0].second == "must be at least first");
  CHECK(told.failures.empty());
}

TEST_CASE("an absent key is rejected at what lacks it, by its name as an operator writes it") {
  const Node config = Node::map({{"first", Node::of(10)}});
  Told told;
  CHECK(validate(config, told) == ACTORD_FAILED);
  REQUIRE(rejected.size() == 1);
  CHECK(rejected[0].first == &config);
  CHECK(rejected[0].second == "last-row must be at least first");
}

TEST_CASE("all findings are reported, in structs and lists, too") {
  const Node config =
      Node::map({{"first", Node::of(10)},
                 {"stone", Node::map({{"grain", Node::of(-1)}})},
                 {"spares", Node::list({Node::map({}), Node::map({{"grain", Node::of(-2)}})})}});
  Told told;
  CHECK(validate(config, told) == ACTORD_FAILED);
  REQUIRE(rejected.size() == 3);
  CHECK(rejected[1].first == &config.children[1].children[0]);
  CHECK(rejected[2].first == &config.children[2].children[1].children[0]);
}

TEST_CASE("a config that is right, an exception, and a config that is wrong as a whole") {
  Told told;
  const Node right = Node::map({{"first", Node::of(1)}});
  CHECK(validate(right, told) == ACTORD_OK);
  const Node unlucky = Node::map({{"first", Node::of(13)}, {"last_row", Node::of(14)}});
  CHECK(validate(unlucky, told) == ACTORD_FAILED);
  REQUIRE(told.failures.size() == 1);
  CHECK(told.failures[0] == "unlucky");
  const Node whole = Node::map({{"last_row", Node::of(99)}});
  CHECK(validate(whole, told) == ACTORD_FAILED);
  REQUIRE(rejected.size() == 1);
  CHECK(rejected[0] == std::pair<const void*, std::string>{&whole, "is wrong as a whole"});
}

TEST_CASE("a file name in the state directory has no folder") {
  Told told;
  for (const char* const wrong : {"../x", "a/b", "", ".."}) {
    CAPTURE(wrong);
    const Node config = Node::map({{"log", Node::of(wrong)}});
    CHECK(validate(config, told) == ACTORD_FAILED);
    REQUIRE(rejected.size() == 1);
    CHECK(rejected[0].first == &config.children[0]);
    CHECK(rejected[0].second == "expected a file name, without a folder");
  }
}

TEST_SUITE_END();
