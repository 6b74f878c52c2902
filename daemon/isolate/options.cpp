// SPDX-License-Identifier: Apache-2.0
#include "isolate/options.hpp"

#include "os/files.hpp"
#include "os/process.hpp"

namespace actord::isolate {

std::string default_host_executable() {
  const std::string folder = os::executable_folder();
  std::string beside = folder + "/actord-host";
  return os::exists(beside) ? beside : folder + "/../lib/actord/actord-host";
}

}  // namespace actord::isolate
