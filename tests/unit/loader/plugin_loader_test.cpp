// SPDX-License-Identifier: Apache-2.0
//
// From a plugin's name to its table, with files from tests/bad_plugins, each with one fault.
#include "loader/plugin_loader.hpp"

#include <doctest/doctest.h>

#include "loader/plugin_table.hpp"

TEST_SUITE_BEGIN("loader/plugin_loader");

namespace {

using actord::loader::PluginLoader;
using actord::loader::Refusal;

const std::string bad_plugins = ACTORD_BAD_PLUGINS;

}  // namespace

TEST_CASE("a plugin that is in none of the folders is missing, and all of them are named") {
  const PluginLoader loader({bad_plugins, "/nowhere"});
  const auto answer = loader.load("absent");
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().kind == Refusal::Kind::missing);
  CHECK(answer.error().what.find(bad_plugins + ", /nowhere") != std::string::npos);
  CHECK(answer.error().file == "");
}

TEST_CASE(
    "a file that is no plugin of this daemon is refused before its code runs, with a reason") {
  struct Row {
    const char* name;
    const char* words;
  };
  const PluginLoader loader({"/nowhere", bad_plugins});
  for (const Row& row :
       {Row{"text", "not an ELF file"}, Row{"cut_off", "cut off"}, Row{"no_note", "no note"},
        Row{"other_abi", "abi differs"}, Row{"other_sanitizer", "san differs"},
        Row{"wrong_name", "\"right_name\""}, Row{"executable_stack", "executable stack"}}) {
    CAPTURE(row.name);
    const auto answer = loader.load(row.name);
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.error().kind == Refusal::Kind::refused);
    CHECK(answer.error().what.find(row.words) != std::string::npos);
    CHECK(answer.error().help != "");
    CHECK(answer.error().file == bad_plugins + '/' + row.name + ".so");
  }
}

TEST_CASE("a plugin that cannot be linked, or whose table cannot be used, is refused") {
  struct Row {
    const char* name;
    const char* words;
  };
  const PluginLoader loader({bad_plugins});
  for (const Row& row :
       {Row{"unresolved", "function_that_nobody_has"}, Row{"no_entry", "does not export"},
        Row{"null_entry", "returns no table"}, Row{"short_table", "too short"}}) {
    CAPTURE(row.name);
    const auto answer = loader.load(row.name);
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.error().kind == Refusal::Kind::refused);
    CHECK(answer.error().what.find(row.words) != std::string::npos);
  }
}

TEST_CASE("a plugin whose note and table fit is loaded, as often as it is asked for") {
  const PluginLoader loader({bad_plugins});
  const auto first = loader.load("attach_refuses");
  const auto second = loader.load("attach_refuses");
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  CHECK(first->table == second->table);
  CHECK(first->note.version == "1.0.0");
  CHECK(first->file == bad_plugins + "/attach_refuses.so");
}

TEST_CASE("a table with a hole in it is found out") {
  actord_plugin plugin{};
  plugin.struct_size = sizeof plugin;
  plugin.abi_major = ACTORD_ABI_MAJOR;
  plugin.name = ACTORD_STR("holes");
  plugin.version = ACTORD_STR("1");
  CHECK(actord::loader::table_fault(&plugin) == "");

  const actord_behaviour* const behaviours[] = {nullptr};
  plugin.behaviours = behaviours;
  plugin.n_behaviours = 1;
  CHECK(actord::loader::table_fault(&plugin) == "behaviour 0: it is missing");
  plugin.behaviours = nullptr;
  CHECK(actord::loader::table_fault(&plugin) == "its list of behaviours is broken");
}
