// SPDX-License-Identifier: Apache-2.0
//
// Which files of the drop-in folders are read.
#include "layers/drop_ins.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch_folder.hpp"

namespace actord::layers::test {

namespace {

using support::ScratchFolder;
using State = LayerFile::State;

/// The names of the files that are read, in order, with their folder: "etc/10-a.conf".
std::vector<std::string> read_of(const DropIns& found, const ScratchFolder& folder) {
  std::vector<std::string> names;
  for (const LayerFile& file : found.files) {
    if (file.state == State::loaded) names.push_back(file.path.substr(folder.at("").size()));
  }
  return names;
}

const LayerFile& file_named(const DropIns& found, const std::string& path) {
  for (const LayerFile& file : found.files) {
    if (file.path == path) return file;
  }
  FAIL("not looked at: " << path);
  return found.files.front();
}

std::vector<DropInFolder> all_of(const ScratchFolder& folder) {
  return {{folder.at("usr"), Layer::vendor},
          {folder.at("local"), Layer::vendor},
          {folder.at("run"), Layer::administrator},
          {folder.at("etc"), Layer::administrator}};
}

}  // namespace

TEST_SUITE_BEGIN("layers/drop_ins");

TEST_CASE("files count in the byte order of their names, whatever folder they lie in") {
  const ScratchFolder folder;
  for (const char* name : {"etc/60-b.conf", "run/60-a.yaml", "etc/a.conf", "usr/10-x.json",
                           "etc/B.conf", "local/\xC3\xA9.yml", "run/100.conf"})
    folder.write(name, "{}");
  CHECK(read_of(find_drop_ins(all_of(folder)), folder) ==
        std::vector<std::string>{"usr/10-x.json", "run/100.conf", "run/60-a.yaml", "etc/60-b.conf",
                                 "etc/B.conf", "etc/a.conf", "local/\xC3\xA9.yml"});
}

TEST_CASE("of one name the strongest folder's file counts, and the others are not read") {
  const ScratchFolder folder;
  for (const char* name : {"usr/1.conf", "local/1.conf", "run/1.conf", "etc/1.conf", "usr/2.conf",
                           "local/2.conf", "local/3.conf", "run/3.conf"})
    folder.write(name, "{}");
  const DropIns found = find_drop_ins(all_of(folder));
  CHECK(read_of(found, folder) ==
        std::vector<std::string>{"etc/1.conf", "local/2.conf", "run/3.conf"});
  const LayerFile& masked = file_named(found, folder.at("usr/1.conf"));
  CHECK(masked.state == State::masked);
  CHECK(masked.why == folder.at("etc/1.conf"));
  CHECK(file_named(found, folder.at("etc/1.conf")).layer == Layer::administrator);
  CHECK(file_named(found, folder.at("local/2.conf")).layer == Layer::vendor);
}

TEST_CASE("an empty file or a link to /dev/null hides all files of its name") {
  const ScratchFolder folder;
  folder.write("usr/1.conf", "a = 1");
  folder.write("etc/1.conf", "");
  folder.write("usr/2.conf", "a = 1");
  folder.write("run/x", "");
  REQUIRE(::symlink("/dev/null", folder.at("run/2.conf").c_str()) == 0);
  const DropIns found = find_drop_ins(all_of(folder));
  CHECK(read_of(found, folder).empty());
  CHECK(found.errors.empty());
  CHECK(file_named(found, folder.at("etc/1.conf")).state == State::masking);
  CHECK(file_named(found, folder.at("etc/1.conf")).why == "an empty file");
  CHECK(file_named(found, folder.at("run/2.conf")).why == "a link to /dev/null");
  CHECK(file_named(found, folder.at("usr/2.conf")).why == folder.at("run/2.conf"));
}

TEST_CASE("a file whose name is not a drop-in's is skipped, and the reason is reported") {
  const ScratchFolder folder;
  struct Row {
    const char* name;
    const char* why;
  };
  constexpr const char* extension = "its name does not end in .conf, .json, .yaml or .yml";
  constexpr const char* packages = "left behind by the package manager";
  const Row rows[] = {{".1.conf", "a hidden file"},
                      {".1.conf.swp", "a hidden file"},
                      {"1.conf~", "an editor's backup"},
                      {"1.conf.dpkg-old", packages},
                      {"1.dpkg-new.conf", packages},
                      {"1.conf.rpmsave", packages},
                      {"1.conf.bak", extension},
                      {"README", extension},
                      {"1.CONF", extension},
                      {"1\n.conf", "its name cannot be printed"},
                      {"\xFF.conf", "its name cannot be printed"}};
  for (const Row& row : rows) folder.write(std::string("etc/") + row.name, "a = 1");
  folder.write("etc/folder.conf/x.conf", "a = 1");
  const DropIns found = find_drop_ins(all_of(folder));
  CHECK(read_of(found, folder).empty());
  for (const Row& row : rows) {
    CAPTURE(std::string(row.name));
    CHECK(file_named(found, folder.at(std::string("etc/") + row.name)).state == State::skipped);
    CHECK(file_named(found, folder.at(std::string("etc/") + row.name)).why == row.why);
  }
  CHECK(file_named(found, folder.at("etc/folder.conf")).why == "a folder");
}

TEST_CASE("a folder of a file's name hides nothing") {
  const ScratchFolder folder;
  folder.write("usr/1.conf", "a = 1");
  folder.write("etc/1.conf/x", "");
  CHECK(read_of(find_drop_ins(all_of(folder)), folder) == std::vector<std::string>{"usr/1.conf"});
}

TEST_CASE("a folder that does not exist is empty; one that cannot be read is an error") {
  const ScratchFolder folder;
  folder.write("etc", "no folder");
  const DropIns found = find_drop_ins(all_of(folder));
  CHECK(file_named(found, folder.at("usr")).state == State::missing);
  CHECK(file_named(found, folder.at("etc")).state == State::failed);
  REQUIRE(found.errors.size() == 1);
  CHECK(found.errors[0].diagnostic.file == folder.at("etc"));
}

TEST_CASE("a link that leads nowhere is an error, unless its name is masked") {
  const ScratchFolder folder;
  folder.write("usr/x", "");
  folder.write("etc/2.conf", "a = 1");
  REQUIRE(::symlink("nowhere", folder.at("usr/1.conf").c_str()) == 0);
  REQUIRE(::symlink("nowhere", folder.at("usr/2.conf").c_str()) == 0);
  const DropIns found = find_drop_ins(all_of(folder));
  REQUIRE(found.errors.size() == 1);
  CHECK(found.errors[0].reason == hocon::FileError::Reason::missing);
  CHECK(found.errors[0].diagnostic.file == folder.at("usr/1.conf"));
  CHECK(found.errors[0].diagnostic.help.find("/dev/null") != std::string::npos);
}

TEST_CASE("a world-writable folder is warned of") {
  const ScratchFolder folder;
  folder.write("etc/1.conf", "a = 1");
  CHECK(find_drop_ins(all_of(folder)).warnings.empty());
  REQUIRE(::chmod(folder.at("etc").c_str(), 0777) == 0);
  const DropIns found = find_drop_ins(all_of(folder));
  REQUIRE(found.warnings.size() == 1);
  CHECK(found.warnings[0].file == folder.at("etc"));
  CHECK(found.warnings[0].warning);
}

TEST_SUITE_END();

}  // namespace actord::layers::test
