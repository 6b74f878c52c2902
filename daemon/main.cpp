// SPDX-License-Identifier: Apache-2.0
//
// actord: supervised native actors as a system service. What it does is in app/.
#include <exception>
#include <iostream>

#include "app/run.hpp"

int main(int argc, char** argv) {
  using actord::app::ExitCode;
  try {
    return actord::app::run(argc, argv);
  } catch (const std::exception& error) {  // out of memory or threads, mostly
    std::cerr << "actord: error: " << error.what() << '\n';
    return static_cast<int>(ExitCode::operating_system);
  }
}
