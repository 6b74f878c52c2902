// SPDX-License-Identifier: Apache-2.0
#include "os/source_watch.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/scratch_folder.hpp"

using actord::os::SourceWatch;
namespace fs = std::filesystem;

namespace {

class WatchedFolder {
 public:
  WatchedFolder() {
    fs::create_directories(folder.at("src/deep"));
    fs::create_directories(folder.at("build"));
    fs::create_directories(folder.at("other-build"));
    folder.write("other-build/CMakeCache.txt", "");
  }
  SourceWatch open() {
    auto watch = SourceWatch::open(folder.path().string(), folder.at("build"));
    REQUIRE(watch);
    return std::move(watch).value();
  }
  /// The name of the file that has changed.
  static std::string change(SourceWatch& watch) {
    return fs::path(watch.take_change()).filename().string();
  }

  actord::support::ScratchFolder folder;
};

}  // namespace

TEST_SUITE_BEGIN("os/source_watch");

TEST_CASE("a file that is written, moved or removed is a change, also in a folder below") {
  WatchedFolder it;
  SourceWatch watch = it.open();
  CHECK(WatchedFolder::change(watch).empty());
  it.folder.write("a.cpp", "1");
  CHECK(WatchedFolder::change(watch) == "a.cpp");
  CHECK(WatchedFolder::change(watch).empty());
  it.folder.write("src/deep/b.cpp", "1");
  CHECK(WatchedFolder::change(watch) == "b.cpp");
  fs::rename(it.folder.at("src/deep/b.cpp"), it.folder.at("src/c.cpp"));
  CHECK(!WatchedFolder::change(watch).empty());
  fs::remove(it.folder.at("src/c.cpp"));
  CHECK(WatchedFolder::change(watch) == "c.cpp");
}

TEST_CASE("a folder that appears is watched, too") {
  WatchedFolder it;
  SourceWatch watch = it.open();
  fs::create_directory(it.folder.at("new"));
  CHECK(WatchedFolder::change(watch) == "new");
  it.folder.write("new/d.cpp", "1");
  CHECK(WatchedFolder::change(watch) == "d.cpp");
}

TEST_CASE("what builds, editors and version control write is no change") {
  WatchedFolder it;
  SourceWatch watch = it.open();
  for (const char* const name : {"build/x.o", "other-build/x.o", ".git-index", "a.cpp~", "#a.cpp#"})
    it.folder.write(name, "1");
  fs::create_directory(it.folder.at(".git"));
  CHECK(WatchedFolder::change(watch).empty());
  fs::remove_all(it.folder.at("build"));
  fs::create_directory(it.folder.at("build"));
  it.folder.write("build/y.o", "1");
  CHECK(WatchedFolder::change(watch).empty());
}

TEST_CASE("a folder that is not there cannot be watched") {
  CHECK(!SourceWatch::open("/nowhere/at/all", "/nowhere/build"));
}
