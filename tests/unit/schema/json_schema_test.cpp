// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <sstream>

#include "schema/json_schema.hpp"
#include "schema/schema.hpp"
#include "unit/settings/settings_text.hpp"

#include <nlohmann/json.hpp>

using namespace actord;
using namespace actord::schema;

using Json = nlohmann::ordered_json;

namespace {

const Json& whole() {
  static const Json schema = Json::parse(json_schema());
  return schema;
}

// The target of a reference, or the object among several alternatives.
const Json& object_in(const Json& described) {
  if (described.contains("properties") || described.contains("additionalProperties"))
    return described;
  if (described.contains("$ref")) {
    const std::string path = described["$ref"].get<std::string>();
    return object_in(whole().at(Json::json_pointer(path.substr(1))));
  }
  const auto ways = described.find("anyOf");
  REQUIRE(ways != described.end());
  const auto object = std::find_if(ways->begin(), ways->end(), [](const Json& way) {
    return way.contains("properties") || way.contains("$ref");
  });
  REQUIRE(object != ways->end());
  return object_in(*object);
}

const Json& described(const std::string& path) {
  const Json* at = &whole();
  std::istringstream elements(path);
  for (std::string name; std::getline(elements, name, '.');) {
    const Json& object = object_in(*at);
    at = name == "*" ? &object.at("additionalProperties") : &object.at("properties").at(name);
  }
  return *at;
}

}  // namespace

TEST_SUITE_BEGIN("schema/json_schema");

TEST_CASE("every key of the schema is described, with its doc and when a change holds") {
  for (const SettingKey& key : schema::keys()) {
    CAPTURE(key.path);
    const Json& json = described(std::string{key.path});
    CHECK(json.value("description", "") == key.doc);
    CHECK(json.value("x-reload", "") == name_of(key.reload));
  }
}

TEST_CASE("types, bounds, words and defaults are those of the schema") {
  const Json& workers = described("actord.actor.default-dispatcher.workers");
  CHECK(workers["anyOf"] == Json::parse(R"([{"enum": ["auto"]},
                                            {"type": "integer", "minimum": 1, "maximum": 64},
                                            {"type": "null"}])"));
  CHECK(workers["default"] == "auto");
  CHECK(workers["x-range"] == "auto | 1 to 64");
  CHECK(described("actord.dead-letters.log")["default"] == 10);
  CHECK(described("actord.dead-letters.during-shutdown")["default"] == false);
  CHECK(described("actord.user.*.supervisor-strategy.backoff.random-factor")["default"] == 0.2);
  CHECK(described("actord.plugins.path")["minItems"] == 1);
  CHECK(object_in(described("actord.user.*.supervisor-strategy.backoff"))["required"] ==
        Json::parse(R"(["min", "max"])"));
  CHECK(object_in(described("actord.log"))["additionalProperties"] == false);
}

TEST_CASE("null, which takes a value away, is allowed wherever the reader takes it") {
  CHECK(described("actord.log.level")["enum"].back().is_null());
  CHECK(described("actord.log")["type"] == Json::parse(R"(["object", "null"])"));
  CHECK(described("actord.user.*")["type"].back() == "null");
  CHECK(object_in(
            described("actord.user.*.supervisor-strategy.backoff"))["properties"]["min"]["type"] ==
        Json::parse(R"(["string", "number"])"));
}

TEST_CASE("a negative number of restarts is taken, as by the reader") {
  for (const char* key : {"actord.user.*.supervisor-strategy.max-restarts",
                          "actord.user.*.backoff-supervisor.max-restarts"}) {
    const std::string json = described(key).dump();
    CHECK(json.find("\"integer\"") != std::string::npos);
    CHECK(json.find("minimum") == std::string::npos);
  }
}

TEST_CASE("children are described as the actors of /user are, and all strategies alike") {
  CHECK(described("actord.user.*.children")["anyOf"][0]["$ref"] == "#/$defs/user");
  CHECK(object_in(described("actord.actor.guardian-supervisor-strategy")) ==
        object_in(described("actord.user.*.supervisor-strategy")));
}

TEST_CASE("beside actord there may be what a configuration may hold, and nothing else") {
  CHECK(whole()["properties"].contains("vars"));
  CHECK(whole()["patternProperties"].contains("^x-"));
  CHECK(whole()["additionalProperties"] == false);
}

TEST_SUITE_END();
