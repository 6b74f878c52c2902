// SPDX-License-Identifier: Apache-2.0
//
// The limits of control groups, read from folders that look like theirs.
#include "base/control_groups.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <string>

#include "support/scratch_folder.hpp"

namespace actord::base {

TEST_SUITE_BEGIN("base/control_groups");

namespace {

/// A folder in the place of /sys/fs/cgroup. It also holds the process's list of groups.
class GroupFolder : public support::ScratchFolder {
 public:
  /// The number of CPUs if `groups` is the process's list of groups.
  unsigned cpus(const std::string& groups) const {
    return cpu_quota(write("groups", groups), path());
  }
  std::uint64_t memory(const std::string& groups) const {
    return memory_limit(write("groups", groups), path());
  }
};

constexpr unsigned no_limit = UINT_MAX;

}  // namespace

TEST_CASE("version 2: quota by period, rounded up, at least one") {
  const GroupFolder folder;
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
  const GroupFolder folder;
  folder.write("slice/cpu.max", "200000 100000\n");
  folder.write("slice/app/cpu.max", "max 100000\n");
  CHECK(folder.cpus("0::/slice/app\n") == 2);
  folder.write("slice/app/cpu.max", "800000 100000\n");
  CHECK(folder.cpus("0::/slice/app\n") == 2);
  folder.write("slice/app/cpu.max", "50000 100000\n");
  CHECK(folder.cpus("0::/slice/app\n") == 1);
}

TEST_CASE("a container that sees its group as the root is limited by that") {
  const GroupFolder folder;
  folder.write("cpu.max", "300000 100000\n");
  CHECK(folder.cpus("0::/\n") == 3);
  // This is a path of the host, which does not exist in the container.
  CHECK(folder.cpus("0::/docker/4711\n") == 3);
}

TEST_CASE("version 1: quota and period are files of the cpu controller") {
  const GroupFolder folder;
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
  const GroupFolder folder;
  const std::string groups = "1:cpu:/app\n0::/app\n";
  folder.write("cpu/app/cpu.cfs_period_us", "100000\n");
  folder.write("cpu/app/cpu.cfs_quota_us", "400000\n");
  folder.write("unified/app/cpu.max", "max 100000\n");
  CHECK(folder.cpus(groups) == 4);
}

TEST_CASE("no groups, no limit; nonsense neither") {
  const GroupFolder folder;
  CHECK(cpu_quota(folder.at("none"), folder.path()) == no_limit);
  CHECK(folder.cpus("") == no_limit);
  CHECK(folder.cpus("nonsense\n7:cpu\n") == no_limit);
  folder.write("cpu.max", "many few\n");
  CHECK(folder.cpus("0::/\n") == no_limit);
  folder.write("cpu.max", "100000 0\n");
  CHECK(folder.cpus("0::/\n") == no_limit);
}

TEST_CASE("memory: the narrowest of max and high counts, on the whole way up") {
  const GroupFolder folder;
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
