// SPDX-License-Identifier: Apache-2.0
#include "app/json_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/scratch_folder.hpp"

namespace actord::app {

TEST_SUITE_BEGIN("app/json_folder");

TEST_CASE("a file is written, written anew, read and removed, and its folder comes with it") {
  const support::ScratchFolder scratch;
  const JsonFolder folder(scratch.at("kept"));
  CHECK(folder.ids().empty());
  const auto written = folder.write("a.1", {{"n", 1}});
  REQUIRE(written);
  CHECK(*written == scratch.at("kept") + "/a.1.json");
  REQUIRE(folder.write("a.1", {{"n", 2}}));
  REQUIRE(folder.write("b", {{"n", 3}}));
  std::vector<std::string> ids = folder.ids();
  std::ranges::sort(ids);
  CHECK(ids == std::vector<std::string>{"a.1", "b"});
  CHECK(wire::Json::parse(*folder.read("a.1"))["n"] == 2);
  CHECK(std::filesystem::status(*written).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  CHECK(folder.remove("a.1"));
  CHECK(folder.remove("a.1"));  // it is gone, as is wanted
  CHECK(folder.ids() == std::vector<std::string>{"b"});
}

TEST_CASE("only files that end in .json count, and no id leads out of the folder") {
  const support::ScratchFolder scratch;
  const JsonFolder folder(scratch.path().string());
  std::ofstream(scratch.at("note.txt")) << "no";
  CHECK(folder.ids().empty());
  CHECK_FALSE(folder.read("../secret"));
}

TEST_CASE("an error names the file") {
  const support::ScratchFolder scratch;
  std::ofstream(scratch.at("kept")) << "a file in the place of the folder";
  const JsonFolder folder(scratch.at("kept"));
  for (const auto& error : {folder.read("a").error().what, folder.write("a", {}).error().what})
    CHECK(error.find(scratch.at("kept")) != error.npos);
}

TEST_SUITE_END();

}  // namespace actord::app
