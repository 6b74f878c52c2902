// SPDX-License-Identifier: Apache-2.0
#include "os/path_walk.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "os/local_socket.hpp"
#include "support/scratch_folder.hpp"

using namespace actord::os;
using actord::support::ScratchFolder;

namespace {

using Kind = PathComponent::Kind;

// The component at `path`; a folder without a path if the walk has not met it.
PathComponent component_at(const WalkedPath& walked, const std::string& path) {
  PathComponent found;
  int times = 0;
  for (const PathComponent& each : walked.components) {
    if (each.path != path) continue;
    found = each;
    ++times;
  }
  CHECK(times <= 1);
  return found;
}

std::string real_place(const ScratchFolder& place) {
  return std::filesystem::canonical(place.path()).string();
}

}  // namespace

TEST_SUITE_BEGIN("os/path_walk");

TEST_CASE("each folder of a path and its file are met with their owners and modes") {
  const ScratchFolder place;
  const std::string top = real_place(place), file = place.write("a/b/file", "x");
  REQUIRE(::chmod((top + "/a").c_str(), 01775) == 0);
  REQUIRE(::chmod(file.c_str(), 0640) == 0);
  const auto walked = walk(top + "/a/./b//file");
  REQUIRE(walked.ok());
  CHECK(walked->file == top + "/a/b/file");
  CHECK(walked->components.front().path == "/");
  CHECK(walked->components.back().path == top + "/a/b/file");
  CHECK(walked->components.back().kind == Kind::file);
  CHECK(walked->components.back().mode == 0640);
  CHECK(walked->components.back().owner == own_user());
  CHECK(component_at(*walked, top + "/a").mode == 01775);
  CHECK(component_at(*walked, top + "/a/b").path == top + "/a/b");
}

TEST_CASE("a symbolic link is met, and so is everything above and below its target") {
  const ScratchFolder place;
  const std::string top = real_place(place);
  place.write("here/file", "x");
  place.write("there/below/target", "x");
  REQUIRE(::symlink("../there/below", place.at("here/folder").c_str()) == 0);
  REQUIRE(::symlink((top + "/here/folder").c_str(), place.at("absolute").c_str()) == 0);
  const auto walked = walk(top + "/absolute/target");
  REQUIRE(walked.ok());
  CHECK(walked->file == top + "/there/below/target");
  CHECK(component_at(*walked, top + "/absolute").kind == Kind::link);
  CHECK(component_at(*walked, top + "/here").kind == Kind::folder);
  CHECK(component_at(*walked, top + "/here/folder").kind == Kind::link);
  CHECK(component_at(*walked, top + "/there").kind == Kind::folder);
  CHECK(component_at(*walked, top + "/there/below").kind == Kind::folder);
  CHECK(component_at(*walked, top).path == top);  // once, although two ways lead through it
}

TEST_CASE("a path that leads nowhere is an error with its number") {
  const ScratchFolder place;
  place.write("file", "x");
  REQUIRE(::symlink("loop", place.at("loop").c_str()) == 0);
  CHECK(walk(place.at("absent/file")).error().number == ENOENT);
  CHECK(walk(place.at("file/below")).error().number == ENOTDIR);
  const auto endless = walk(place.at("loop"));
  CHECK(endless.error().number == ELOOP);
  CHECK(endless.error().what.find(place.at("loop")) != std::string::npos);
}

TEST_CASE("a relative path begins at the working directory") {
  const auto walked = walk(".");
  REQUIRE(walked.ok());
  CHECK(walked->file == std::filesystem::current_path().string());
  CHECK(walk("/..")->file == "/");
}
