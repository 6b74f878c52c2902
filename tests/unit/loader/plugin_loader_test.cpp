// SPDX-License-Identifier: Apache-2.0
//
// From a plugin's name to its table, with files from tests/bad_plugins, each with one fault.
#include "loader/plugin_loader.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "loader/plugin_table.hpp"
#include "support/scratch_folder.hpp"

TEST_SUITE_BEGIN("loader/plugin_loader");

namespace {

namespace fs = std::filesystem;
using actord::loader::LoadMode;
using actord::loader::PluginLoader;
using actord::loader::Refusal;

const std::string bad_plugins = ACTORD_BAD_PLUGINS;

PluginLoader loader_of(std::vector<std::string> folders) {
  return {std::move(folders), actord::loader::developer_trust()};
}

}  // namespace

TEST_CASE("a plugin that is in none of the folders is missing, and all of them are named") {
  PluginLoader loader = loader_of({bad_plugins, "/nowhere"});
  const auto answer = loader.load("absent", LoadMode::start);
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
  PluginLoader loader = loader_of({"/nowhere", bad_plugins});
  for (const Row& row :
       {Row{"text", "not an ELF file"}, Row{"cut_off", "cut off"}, Row{"no_note", "no note"},
        Row{"other_abi", "abi differs"}, Row{"other_sanitizer", "san differs"},
        Row{"wrong_name", "\"right_name\""}, Row{"executable_stack", "executable stack"}}) {
    CAPTURE(row.name);
    const auto answer = loader.load(row.name, LoadMode::start);
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
  PluginLoader loader = loader_of({bad_plugins});
  for (const Row& row :
       {Row{"unresolved", "function_that_nobody_has"}, Row{"no_entry", "does not export"},
        Row{"null_entry", "returns no table"}, Row{"short_table", "too short"},
        Row{"broken_failures", "its list of failures is broken"}}) {
    CAPTURE(row.name);
    const auto answer = loader.load(row.name, LoadMode::start);
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.error().kind == Refusal::Kind::refused);
    CHECK(answer.error().what.find(row.words) != std::string::npos);
  }
}

TEST_CASE("a plugin whose note and table fit is loaded, as often as it is asked for") {
  PluginLoader loader = loader_of({bad_plugins});
  const auto first = loader.load("attach_refuses", LoadMode::start);
  const auto second = loader.load("attach_refuses", LoadMode::start);
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  CHECK(first->table == second->table);
  CHECK(first->note.version == "1.0.0");
  CHECK(first->image->file() == bad_plugins + "/attach_refuses.so");
}

TEST_CASE("a plugin that is loaded goes on whatever becomes of its file") {
  const actord::support::ScratchFolder place;
  const std::string file = place.at("attach_refuses.so");
  fs::copy_file(bad_plugins + "/attach_refuses.so", file);
  PluginLoader loader = loader_of({place.path().string()});
  const auto loaded = loader.load("attach_refuses", LoadMode::start);
  REQUIRE(loaded.ok());
  fs::resize_file(file, 0);
  CHECK(actord::loader::table_fault(loaded->table) == "");
  fs::remove(file);
  CHECK(actord::loader::table_fault(loaded->table) == "");
  CHECK(loaded->image->file() == file);
}

TEST_CASE("another build under the same name is loaded beside the one before") {
  const actord::support::ScratchFolder place;
  const std::string file = place.at("attach_refuses.so");
  fs::copy_file(bad_plugins + "/attach_refuses.so", file);
  PluginLoader loader = loader_of({place.path().string()});
  const auto first = loader.load("attach_refuses", LoadMode::start);
  std::ofstream(file, std::ios::app | std::ios::binary) << "another build";
  const auto second = loader.load("attach_refuses", LoadMode::start);
  REQUIRE(first.ok());
  if (!second) FAIL(second.error().what);
  CHECK(first->table != second->table);
}

TEST_CASE("only a name that a plugin may have, and .so, is the name of a plugin's file") {
  using actord::loader::plugin_name_of;
  CHECK(plugin_name_of("/usr/lib/actord/plugins/echo.so") == "echo");
  CHECK(plugin_name_of("a-b_c.2+.so") == "a-b_c.2+");
  for (const char* const name :
       {".echo.so", ".echo.so.Xa3b9z", "echo.so~", "~echo.so", "echo.so.tmp", "echo.so.dpkg-new",
        "echo.so.dpkg-tmp", "echo.tmp", "echo", ".so", "..so", "an echo.so", "\xc3\xa4.so", "#e.so",
        "echo.so/", "echo.so.swp"}) {
    CAPTURE(name);
    CHECK(plugin_name_of(name) == "");
  }
}

TEST_CASE("a plugin that others may change is refused before its code runs") {
  const actord::support::ScratchFolder place;
  const std::string file = place.at("static_aborts.so");
  fs::copy_file(bad_plugins + "/static_aborts.so", file);
  fs::permissions(file, fs::perms{0666});
  const auto answer = loader_of({place.path().string()}).load("static_aborts", LoadMode::start);
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().kind == Refusal::Kind::refused);
  CHECK(answer.error().what.find(file + " belongs to ") != std::string::npos);
  CHECK(answer.error().help == "chmod go-w " + file);
  CHECK(answer.error().file == file);
}

TEST_CASE("a symbolic link to a plugin is judged at both ends") {
  const actord::support::ScratchFolder place;
  fs::create_directory(place.at("links"));
  fs::create_symlink(bad_plugins + "/attach_refuses.so", place.at("links/attach_refuses.so"));
  PluginLoader loader = loader_of({place.at("links")});
  const auto sound = loader.load("attach_refuses", LoadMode::start);
  REQUIRE(sound.ok());
  CHECK(sound->image->file() == bad_plugins + "/attach_refuses.so");
  fs::permissions(place.at("links"), fs::perms{0777});
  const auto answer = loader.load("attach_refuses", LoadMode::start);
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().what.find(place.at("links") + " belongs to ") != std::string::npos);
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

TEST_CASE("failures that a plugin declares are read only if all of them can be") {
  actord_plugin plugin{};
  plugin.struct_size = sizeof plugin;
  plugin.abi_major = ACTORD_ABI_MAJOR;
  plugin.name = ACTORD_STR("liar");
  const auto fault = [&] { return actord::loader::table_fault(&plugin); };
  const actord_str good[] = {ACTORD_STR("shop::SoldOut"), ACTORD_STR("std::exception")};
  actord_type_chain failures[] = {{good, 2}, {good, 2}};
  plugin.failures = failures;
  plugin.n_failures = 2;
  CHECK(fault() == "");

  for (const actord_type_chain broken : {actord_type_chain{nullptr, 2}, actord_type_chain{good, 0},
                                         actord_type_chain{good, 1u << 20}}) {
    failures[1] = broken;
    CHECK(fault() == "failure 1: its list of types is broken");
  }
  const std::string endless(5000, 'x');
  for (const actord_str wrong :
       {actord_str{nullptr, 5}, actord_str{"", 0}, actord_str{endless.data(), endless.size()},
        actord_str{"a\nb", 3}, actord_str{"a\xFFz", 3}}) {
    const actord_str types[] = {good[0], wrong};
    failures[1] = {types, 2};
    CHECK(fault() == "failure 1: the name of a type is broken");
  }
  plugin.n_failures = std::size_t{1} << 60;
  CHECK(fault() == "its list of failures is broken");
  plugin.failures = nullptr;
  plugin.n_failures = 1;
  CHECK(fault() == "its list of failures is broken");
}

TEST_CASE("imports that cannot be right are found out") {
  actord_plugin plugin{};
  plugin.struct_size = sizeof plugin;
  plugin.abi_major = ACTORD_ABI_MAJOR;
  plugin.name = ACTORD_STR("liar");
  const auto fault = [&] { return actord::loader::table_fault(&plugin); };
  actord_type_id id = 0;
  const actord_import kill{ACTORD_STR("actord.Kill/1"), 1, 1, {}, &id};
  actord_import imports[] = {kill};
  plugin.imports = imports;
  plugin.n_imports = 1;
  CHECK(fault() == "");
  imports[0].id = nullptr;
  CHECK(fault() == "the import actord.Kill/1 has no place for its id");
  imports[0] = kill;
  imports[0].name = {nullptr, 5};
  CHECK(fault() == "an import has no name");
  imports[0] = kill;
  imports[0].size = 4096;
  CHECK(fault().find("actord.Kill/1 in another layout than actord") != std::string::npos);
  plugin.n_imports = std::size_t{1} << 60;
  CHECK(fault() == "its list of imports is broken");
}

TEST_CASE("a plugin of an older interface declares no failures, whatever follows its table") {
  actord_plugin plugin{};
  plugin.struct_size = offsetof(actord_plugin, failures);
  plugin.abi_major = ACTORD_ABI_MAJOR;
  plugin.name = ACTORD_STR("old");
  plugin.n_failures = 7;
  CHECK(actord::loader::table_fault(&plugin) == "");
}
