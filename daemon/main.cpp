// SPDX-License-Identifier: Apache-2.0
//
// actord: supervised native actors as a system service. The daemon itself is in app/.
#include <exception>
#include <iostream>

#include "app/run.hpp"
#include "config/exit_codes.hpp"

int main(int argc, char** argv) {
  using actord::config::ExitCode;
  try {
    return actord::app::run(argc, argv);
  } catch (const std::exception& error) {  // usually out of memory or threads
    std::cerr << "actord: error: " << error.what() << '\n';
    return static_cast<int>(ExitCode::operating_system);
  }
}
