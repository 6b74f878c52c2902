// SPDX-License-Identifier: Apache-2.0
#include "os/process_usage.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/clock.hpp"

namespace actord::os {

ProcessUsage usage_of(int process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  // The name of the program, in brackets, may have spaces and brackets.
  std::string line;
  std::getline(stat, line, '\0');
  const std::size_t name_end = line.rfind(") ");
  if (name_end == line.npos) return {};
  std::istringstream fields(line.substr(name_end + 2));
  char state = 0;
  fields >> state;
  std::int64_t value = 0, ticks = 0, pages = 0;
  for (int field = 4; field <= 24 && fields >> value; ++field) {  // as proc(5) counts them
    if (field == 14 || field == 15) ticks += value;               // user and system
    if (field == 24) pages = value;
  }
  return {ticks * (base::ns_per_s / ::sysconf(_SC_CLK_TCK)),
          static_cast<std::size_t>(pages) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))};
}

}  // namespace actord::os
