// SPDX-License-Identifier: Apache-2.0
#include "base/control_groups.hpp"

#include <algorithm>
#include <climits>
#include <fstream>
#include <sstream>
#include <string_view>

namespace actord::base {

namespace {

// Reads the limit from the folder of one group; `no_limit` if no limit can be read there.
using LimitOf = std::uint64_t (*)(const std::string& folder);

constexpr std::uint64_t no_limit = UINT64_MAX;

std::uint64_t cpus_of(long long quota, long long period) {
  if (quota <= 0 || period <= 0) return no_limit;
  return static_cast<std::uint64_t>(quota / period + (quota % period != 0 ? 1 : 0));
}

// cpu.max holds "max 100000" or "150000 100000": quota and period in us.
std::uint64_t cpus_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  long long quota = 0, period = 0;
  return file >> quota >> period ? cpus_of(quota, period) : no_limit;
}

// A quota of -1 is no limit.
std::uint64_t cpus_v1(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us"),
      period_file(folder + "/cpu.cfs_period_us");
  long long quota = 0, period = 0;
  return quota_file >> quota && period_file >> period ? cpus_of(quota, period) : no_limit;
}

std::uint64_t number_in(const std::string& file) {
  std::ifstream in(file);
  std::uint64_t bytes = 0;
  return in >> bytes ? bytes : no_limit;
}

// Both files hold "max" or a number. Beyond `high` the kernel slows the group down, so that is a
// limit as well.
std::uint64_t memory_v2(const std::string& folder) {
  return std::min(number_in(folder + "/memory.max"), number_in(folder + "/memory.high"));
}

// Without a limit the file holds a number near 2^63, which limits nothing.
std::uint64_t memory_v1(const std::string& folder) {
  return number_in(folder + "/memory.limit_in_bytes");
}

// The least limit of the group and its parents. In a container that sees its own group as the root
// of the tree, no folder has that path, and the root has the limit.
std::uint64_t min_limit_on_path(const std::string& root, std::string path, LimitOf limit_of) {
  std::uint64_t least = limit_of(root);
  while (!path.empty() && path != "/") {
    least = std::min(least, limit_of(root + path));
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
  return least;
}

// Whether `controllers`, a list separated by commas, has `controller`.
bool contains(std::string_view controller, const std::string& controllers) {
  std::istringstream list(controllers);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == controller) return true;
  }
  return false;
}

// The least limit over all lines of `groups`, which is in the format of /proc/self/cgroup. A line
// without controllers is of version 2.
std::uint64_t min_limit(const std::string& groups, const std::string& root,
                        const std::string& controller, LimitOf v1, LimitOf v2) {
  std::uint64_t least = no_limit;
  std::ifstream file(groups);
  for (std::string line; std::getline(file, line);) {  // number:controllers:path
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      least = std::min({least, min_limit_on_path(root, path, v2),
                        min_limit_on_path(root + "/unified", path, v2)});
    } else if (contains(controller, controllers)) {
      least = std::min({least, min_limit_on_path(root + "/" + controllers, path, v1),
                        min_limit_on_path(root + "/" + controller, path, v1)});
    }
  }
  return least;
}

}  // namespace

unsigned cpu_quota(const std::string& groups, const std::string& root) {
  const std::uint64_t cpus = min_limit(groups, root, "cpu", cpus_v1, cpus_v2);
  return static_cast<unsigned>(std::min<std::uint64_t>(cpus, UINT_MAX));
}

std::uint64_t memory_limit(const std::string& groups, const std::string& root) {
  return min_limit(groups, root, "memory", memory_v1, memory_v2);
}

}  // namespace actord::base
