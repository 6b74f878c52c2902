// SPDX-License-Identifier: Apache-2.0
//
// The limits of control groups, read from folders that look like theirs.
#include "base/control_groups.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <filesystem>
#include <fstream>
#include <string>

namespace actord::base {

TEST_SUITE_BEGIN("base/control_groups");

namespace {

/// A temporary folder that is removed at the end of the case.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "actord-cgroup-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;

  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path + '/' + file).parent_path());
    std::ofstream(path + '/' + file) << text;
  }
  /// The number of CPUs if `groups` is the process's list of groups.
  unsigned cpus(const std::string& groups) const {
    write("groups", groups);
    return cpu_quota(path + "/groups", path);
  }
  std::uint64_t memory(const std::string& groups) const {
    write("groups", groups);
    return memory_limit(path + "/groups", path);
  }

  std::string path;
};

constexpr unsigned no_limit = UINT_MAX;

}  // namespace

TEST_CASE("version 2: quota by period, rounded up, at least one") {
  const Folder folder;
  const std::string groups = "0::/app\n";
  for (const auto& [text, cpus] :
       {std::pair{"100000 100000\n", 1u}, std::pair{"150000 100000\n", 2u},
        std::pair{"200000 100000\n", 2u}, std::pair{"10000 100000\n", 1u},
        std::pair{"max 100000\n", no_limit}, std::pair{"", no_limit}}) {
    CAPTURE(text);
    folder.write("app/cpu.max", text);
    CHECK(folder.cpus(groups) == cpus);
  }
}

TEST_CASE("version 2: the narrowest group on the way up counts") {
  const Folder folder;
  folder.write("slice/cpu.max", "200000 100000\n");
  folder.write("slice/app/cpu.max", "max 100000\n");
  CHECK(folder.cpus("0::/slice/app\n") == 2);
  folder.write("slice/app/cpu.max", "800000 100000\n");
  CHECK(folder.cpus("0::/slice/app\n") == 2);
  folder.write("slice/app/cpu.max", "50000 100000\n");
  CHECK(folder.cpus("0::/slice/app\n") == 1);
}

TEST_CASE("a container that sees its group as the root is limited by that") {
  const Folder folder;
  folder.write("cpu.max", "300000 100000\n");
  CHECK(folder.cpus("0::/\n") == 3);
  // This is a path of the host, which does not exist in the container.
  CHECK(folder.cpus("0::/docker/4711\n") == 3);
}

TEST_CASE("version 1: quota and period are files of the cpu controller") {
  const Folder folder;
  const std::string groups = "5:memory:/app\n4:cpu,cpuacct:/app\n3:cpuset:/\n";
  folder.write("cpu,cpuacct/app/cpu.cfs_period_us", "100000\n");
  folder.write("cpu,cpuacct/app/cpu.cfs_quota_us", "-1\n");
  CHECK(folder.cpus(groups) == no_limit);
  folder.write("cpu,cpuacct/app/cpu.cfs_quota_us", "250000\n");
  CHECK(folder.cpus(groups) == 3);
  folder.write("cpu/app/cpu.cfs_period_us", "100000\n");  // Most systems have a link here, too.
  folder.write("cpu/app/cpu.cfs_quota_us", "100000\n");
  CHECK(folder.cpus("4:cpu:/app\n") == 1);
}

TEST_CASE("both versions side by side") {
  const Folder folder;
  const std::string groups = "1:cpu:/app\n0::/app\n";
  folder.write("cpu/app/cpu.cfs_period_us", "100000\n");
  folder.write("cpu/app/cpu.cfs_quota_us", "400000\n");
  folder.write("unified/app/cpu.max", "max 100000\n");
  CHECK(folder.cpus(groups) == 4);
}

TEST_CASE("no groups, no limit; nonsense neither") {
  const Folder folder;
  CHECK(cpu_quota(folder.path + "/none", folder.path) == no_limit);
  CHECK(folder.cpus("") == no_limit);
  CHECK(folder.cpus("nonsense\n7:cpu\n") == no_limit);
  folder.write("cpu.max", "many few\n");
  CHECK(folder.cpus("0::/\n") == no_limit);
  folder.write("cpu.max", "100000 0\n");
  CHECK(folder.cpus("0::/\n") == no_limit);
}

TEST_CASE("memory: the narrowest of max and high counts, on the whole way up") {
  const Folder folder;
  folder.write("slice/memory.max", "1073741824\n");
  folder.write("slice/app/memory.max", "max\n");
  CHECK(folder.memory("0::/slice/app\n") == 1073741824);
  folder.write("slice/app/memory.high", "536870912\n");
  CHECK(folder.memory("0::/slice/app\n") == 536870912);
  CHECK(folder.memory("0::/other\n") == UINT64_MAX);
  folder.write("memory/app/memory.limit_in_bytes", "268435456\n");
  CHECK(folder.memory("9:memory:/app\n0::/slice/app\n") == 268435456);
  CHECK(folder.memory("9:cpu:/app\n") == UINT64_MAX);
}

TEST_SUITE_END();

}  // namespace actord::base
