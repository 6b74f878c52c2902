// SPDX-License-Identifier: Apache-2.0
//
// actorctl: what an operator asks about configurations and of the daemon. What it does is in ctl/.
#include <exception>
#include <iostream>

#include "ctl/command.hpp"
#include "loader/plugin_trial.hpp"

int main(int argc, char** argv) {
  using actord::ctl::Exit;
  actord::loader::try_plugin_if_asked(argc, argv);
  try {
    return static_cast<int>(actord::ctl::run_command({argv, argv + argc}, std::cout, std::cerr));
  } catch (const std::exception& error) {  // out of memory, mostly
    std::cerr << "actorctl: error: " << error.what() << '\n';
    return static_cast<int>(Exit::operating_system);
  }
}
