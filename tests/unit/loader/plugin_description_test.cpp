// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_description.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "loader/plugin_loader.hpp"
#include "loader/plugin_table.hpp"
#include "message/message_type.hpp"
#include "system/behaviour_registry.hpp"

TEST_SUITE_BEGIN("loader/plugin_description");

namespace {

using actord::loader::PluginDescription;
using Json = nlohmann::json;

Json description_of(const char* name) {
  actord::loader::PluginLoader loader({ACTORD_BAD_PLUGINS}, actord::loader::developer_trust());
  const auto loaded = loader.load(name, actord::loader::LoadMode::start);
  REQUIRE(loaded.ok());
  return PluginDescription::written(*loaded->table);
}

/// What a process does with a description that another one has sent.
void take(const Json& json) {
  const auto description = PluginDescription::read(json);
  if (description == nullptr || !actord::loader::table_fault(&description->table()).empty()) return;
  actord::message::TypeRegistry types;
  actord::system::BehaviourRegistry registry(types);
  static_cast<void>(registry.add(description->table()));
}

/// Calls `act` with each value in the document, in turn replaced by `by`.
template <class Act>
void with_each_replaced(Json& document, Json& at, const Json& by, const Act& act) {
  for (Json& each : at) {
    Json kept = std::exchange(each, by);
    act(document);
    each = std::move(kept);
    if (each.is_structured()) with_each_replaced(document, each, by, act);
  }
}

}  // namespace

TEST_CASE("a description says what the tables say") {
  for (const char* name : {"secretive", "curious", "mortal"}) {
    const Json json = description_of(name);
    const auto description = PluginDescription::read(json);
    REQUIRE(description != nullptr);
    CHECK(actord::loader::table_fault(&description->table()) == "");
    CHECK(PluginDescription::written(description->table()) == json);
  }
  const auto secretive = PluginDescription::read(description_of("secretive"));
  const actord_behaviour& keeper = *secretive->table().behaviours[0];
  CHECK(actord::message::view(keeper.name) == "Keeper");
  REQUIRE(keeper.n_config_keys == 2);
  CHECK((keeper.config_keys[0]->flags & ACTORD_SECRET) != 0);
  CHECK(keeper.create(nullptr, nullptr, {}, nullptr, nullptr) == ACTORD_FAILED);
}

TEST_CASE("whatever stands in a description, reading it does no harm") {
  Json json = description_of("curious");
  const Json values[] = {nullptr,
                         true,
                         -1,
                         UINT64_MAX,
                         1e300,
                         "",
                         std::string(100'000, 'x'),
                         Json::array(),
                         Json::array({nullptr, 7, "text", Json::array(), Json::object()}),
                         Json::object(),
                         Json::object({{"name", "x"}})};
  int n = 0;
  for (const Json& by : values) {
    take(by);
    with_each_replaced(json, json, by, [&](const Json& changed) {
      take(changed);
      ++n;
    });
  }
  CHECK(n > 500);
}
