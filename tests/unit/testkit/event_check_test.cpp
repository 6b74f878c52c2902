// SPDX-License-Identifier: Apache-2.0
//
// Records that depart from the table of events, and what the test that reads them is told.
#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "testkit/event_check.hpp"
#include "testkit/world.hpp"

namespace actord::testkit {

TEST_SUITE_BEGIN("testkit/event_check");

namespace {

constexpr std::string_view types[] = {"a::B"};

std::string departure(std::string_view event, log::Level level, std::vector<log::Field> fields) {
  log::Record record;
  record.event = event;
  record.level = level;
  record.fields = fields;
  return departure_from_schema(record);
}

// A record of actor.failed without flaws, then the flaws.
std::string departure_of_failure(const std::vector<log::Field>& more) {
  std::vector<log::Field> fields = {{"actor.path", "/user/x"},
                                    {"actor.uid", "u"},
                                    {"actor.incarnation", 1},
                                    {"actor.behaviour", "a/B"},
                                    {"failure.id", "f1"},
                                    {"failure.type", "a::B"},
                                    {"failure.types", std::span<const std::string_view>(types)},
                                    {"failure.message", "no"},
                                    {"failure.phase", "receive"},
                                    {"supervisor.path", "/user"},
                                    {"supervisor.strategy", "one-for-one"},
                                    {"decision.directive", "stop"},
                                    {"decision.rule", "a::B"},
                                    {"decision.config_origin", "default"}};
  fields.insert(fields.end(), more.begin(), more.end());
  return departure("actor.failed", log::Level::error, fields);
}

}  // namespace

TEST_CASE("a record as the table says departs in nothing") {
  CHECK(departure_of_failure({}) == "");
  CHECK(departure_of_failure({{"failure.details.errno", 5},
                              {"failure.details.deep.er", true},
                              {"restart.delay", std::chrono::seconds(1)},
                              {"decision.denied", "restart"},
                              {"decision.path.0.rule", "r"},
                              {"decision.path.12.rule", "r"}}) == "");
}

TEST_CASE("a plugin chooses the names and the fields of its events") {
  CHECK(departure("crawler.finished", log::Level::debug, {{"anything", 1}}) == "");
  CHECK(departure("plugin.event", log::Level::info, {{"plugin.event", "x"}, {"more", 1}}) == "");
}

TEST_CASE("a new event of actord must be in the table") {
  CHECK(departure("actor.exploded", log::Level::info, {}) ==
        "the event 'actor.exploded' is not in the table of events");
}

TEST_CASE("a level that the event does not have is told") {
  CHECK(departure("guardian.message-ignored", log::Level::info, {{"message.type", "t"}}) ==
        "the event 'guardian.message-ignored' has a level that is not in the table: info");
}

TEST_CASE("an unknown field is told") {
  CHECK(departure_of_failure({{"failure.mood", "bad"}}) ==
        "the event 'actor.failed' has a field 'failure.mood' that is not in the table");
  CHECK(departure_of_failure({{"failure", 1}}).find("'failure' that is not") != std::string::npos);
  CHECK(departure_of_failure({{"decision.path.x.rule", "r"}}) != "");
  CHECK(departure_of_failure({{"decision.path.0.rule.more", "r"}}) != "");
}

TEST_CASE("a missing field is told") {
  CHECK(departure("admin.command", log::Level::info, {{"verb", "config.reload"}}) ==
        "the event 'admin.command' has no field arguments");
}

TEST_CASE("a value of another kind is told") {
  const auto incarnation = [](const log::Value& value) {
    return departure("daemon.stopped", log::Level::info, {{"reason", "SIGTERM"}, {"exit", value}});
  };
  CHECK(incarnation(0) == "");
  CHECK(incarnation(std::uint64_t{0}) == "");
  CHECK(incarnation(-1) ==
        "the event 'daemon.stopped' has a field 'exit' that is not a whole number from 0 on");
  CHECK(incarnation("0") != "");
  CHECK(departure_of_failure({{"restart.delay", 1}}).find("is not a duration") !=
        std::string::npos);
  CHECK(departure_of_failure({{"decision.denied", true}}).find("is not a text") !=
        std::string::npos);
  CHECK(departure_of_failure({{"message.sender", std::span<const std::string_view>(types)}}) != "");
}

TEST_CASE("a word that the field does not have is told") {
  CHECK(departure_of_failure({{"decision.denied", "resume"}}) ==
        "the event 'actor.failed' has a field 'decision.denied' that has a word that is not in the "
        "table: 'resume'");
}

TEST_CASE("of fields that exclude each other there is exactly one") {
  std::vector<log::Field> fields = {{"actor.path", "/user/x"},
                                    {"actor.uid", "u"},
                                    {"actor.incarnation", 1},
                                    {"actor.behaviour", "a/B"}};
  const auto restarted = [&] { return departure("actor.restarted", log::Level::warning, fields); };
  CHECK(restarted() ==
        "the event 'actor.restarted' has 0 of the fields failure.id, collateral_of, restart.cause, "
        "of which one is needed");
  fields.push_back({"collateral_of", "f1"});
  CHECK(restarted() == "");
  fields.push_back({"failure.id", "f1"});
  CHECK(restarted() != "");
}

TEST_CASE("of a truncated record only the event and the level are compared") {
  log::Record record;
  record.event = "actor.failed";
  record.truncated = true;
  CHECK(departure_from_schema(record) == "");
  record.event = "actor.exploded";
  CHECK(departure_from_schema(record) != "");
}

TEST_CASE("a world throws once when it reads a record that departs") {
  World world;
  world.start();
  world.system().log.shared().emit(log::Level::info, "actor.exploded", "");
  world.system().log.shared().emit(log::Level::info, "actor.imploded", "");
  CHECK_THROWS_WITH_AS(
      world.events(),
      "the event 'actor.exploded' is not in the table of events (core/log/event_schema.cpp)",
      std::logic_error);
  CHECK(world.events().size() >= 2);
}

TEST_SUITE_END();

}  // namespace actord::testkit
