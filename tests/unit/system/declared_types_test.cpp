// SPDX-License-Identifier: Apache-2.0
//
// The message types of actord's own that a plugin imports.
#include <doctest/doctest.h>

#include <actord/actord.hpp>

#include "message/message_type.hpp"
#include "message/type_registry.hpp"
#include "system/behaviour_registry.hpp"
#include "system/declared_types.hpp"

namespace actord::system {

TEST_SUITE_BEGIN("system/declared_types");

namespace {

/// A plugin with nothing but imports.
struct Importing {
  explicit Importing(std::vector<actord_import> wanted) : imports(std::move(wanted)) {
    plugin.struct_size = sizeof plugin;
    plugin.name = ACTORD_STR("importing");
    plugin.imports = imports.data();
    plugin.n_imports = imports.size();
  }
  std::vector<actord_import> imports;
  actord_plugin plugin{};
};

actord_import kill_at(actord_type_id& id) {
  return {ACTORD_STR("actord.Kill/1"), sizeof(Kill), alignof(Kill), {}, &id};
}
actord_import terminated_at(actord_type_id& id) {
  return {ACTORD_STR("actord.Terminated/1"), sizeof(Terminated), alignof(Terminated),
          detail::to_c(detail::builtin_library), &id};
}

}  // namespace

TEST_CASE("an import is a type of the plugin like those of which it has tables") {
  actord_type_id kill = 0, terminated = 0;
  const Importing importing({kill_at(kill), terminated_at(terminated)});
  const auto declared = declared_types(importing.plugin);
  REQUIRE(declared.ok());
  REQUIRE(declared->size() == 2);
  CHECK(message::view((*declared)[1].table->name) == "actord.Terminated/1");
  CHECK((*declared)[1].id == &terminated);
}

TEST_CASE("the registry writes the number of an imported type where the plugin reads it") {
  message::TypeRegistry types;
  BehaviourRegistry behaviours(types);
  actord_type_id kill = 0;
  const Importing importing({kill_at(kill)});
  REQUIRE(behaviours.add(importing.plugin).ok());
  CHECK(kill != 0);
  CHECK(kill == types.find("actord.Kill/1"));
}

TEST_CASE("a type that a newer actord has is left out, and has no number") {
  actord_type_id id = 0, kill = 0;
  const Importing importing({{ACTORD_STR("actord.Tomorrow/1"), 8, 8, {}, &id}, kill_at(kill)});
  const auto declared = declared_types(importing.plugin);
  REQUIRE(declared.ok());
  CHECK(declared->size() == 1);
  CHECK(id == 0);
}

TEST_CASE("an import in another layout is refused, and the error names the type") {
  actord_type_id id = 0;
  actord_import larger = terminated_at(id), foreign = terminated_at(id);
  larger.size += 8;
  foreign.library = ACTORD_STR("libc++");
  for (const actord_import& import : {larger, foreign}) {
    const Importing importing({import});
    const auto declared = declared_types(importing.plugin);
    REQUIRE_FALSE(declared.ok());
    CHECK(declared.error().what.find("actord.Terminated/1 in another layout") != std::string::npos);
  }
}

TEST_CASE("a plugin of an earlier interface has no imports") {
  actord_type_id kill = 0;
  Importing importing({kill_at(kill)});
  importing.plugin.struct_size = offsetof(actord_plugin, imports);
  const auto declared = declared_types(importing.plugin);
  REQUIRE(declared.ok());
  CHECK(declared->empty());
}

TEST_SUITE_END();

}  // namespace actord::system
