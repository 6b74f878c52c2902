// SPDX-License-Identifier: Apache-2.0
#include "sched/cpu_count.hpp"

#include <sched.h>

#include <algorithm>
#include <climits>
#include <fstream>
#include <sstream>

namespace actord::sched {

namespace {

constexpr unsigned no_limit = UINT_MAX;

unsigned cpus_of(long long quota, long long period) {
  if (quota <= 0 || period <= 0) return no_limit;
  const long long cpus = quota / period + (quota % period != 0 ? 1 : 0);
  return static_cast<unsigned>(std::clamp<long long>(cpus, 1, no_limit));
}

// Version 2: "max 100000" or "150000 100000".
unsigned limit_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  long long quota = 0, period = 0;
  return file >> quota >> period ? cpus_of(quota, period) : no_limit;
}

// Version 1: -1 is no limit.
unsigned limit_v1(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us"),
      period_file(folder + "/cpu.cfs_period_us");
  long long quota = 0, period = 0;
  return quota_file >> quota && period_file >> period ? cpus_of(quota, period) : no_limit;
}

// From the group upwards. Where a container sees a part of the tree as the whole, the path leads
// nowhere, and the root has the limit.
template <class Limit>
unsigned least_limit(const std::string& root, std::string path, Limit&& limit_of) {
  unsigned least = limit_of(root);
  while (!path.empty() && path != "/") {
    least = std::min(least, limit_of(root + path));
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
  return least;
}

bool names_cpu(const std::string& controllers) {
  std::istringstream list(controllers);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "cpu") return true;
  }
  return false;
}

}  // namespace

unsigned cpus_by_quota(const std::string& groups, const std::string& root) {
  unsigned least = no_limit;
  std::ifstream file(groups);
  for (std::string line; std::getline(file, line);) {  // number:controllers:path
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      least = std::min({least, least_limit(root, path, limit_v2),
                        least_limit(root + "/unified", path, limit_v2)});
    } else if (names_cpu(controllers)) {
      least = std::min({least, least_limit(root + "/" + controllers, path, limit_v1),
                        least_limit(root + "/cpu", path, limit_v1)});
    }
  }
  return least;
}

// hardware_concurrency() ignores the affinity mask in some libraries, and the quota in all.
unsigned available_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  const auto by_mask = static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  return std::min(by_mask, cpus_by_quota("/proc/self/cgroup", "/sys/fs/cgroup"));
}

}  // namespace actord::sched
