// SPDX-License-Identifier: Apache-2.0
//
// actord-host: a process that runs a plugin for actord. It is in host/.
#include <exception>
#include <iostream>

#include "host/host_program.hpp"

int main(int argc, char** argv) {
  try {
    actord::host::begin(argc, argv);
    return actord::host::run();
  } catch (const std::exception& error) {  // out of memory or threads
    std::cerr << "actord-host: error: " << error.what() << '\n';
    return 71;
  }
}
