// SPDX-License-Identifier: Apache-2.0
//
// actorctl: what an operator asks about configurations and of the daemon. What it does is in ctl/.
#include <ext/stdio_filebuf.h>

#include <exception>
#include <iostream>

#include "ctl/command.hpp"
#include "loader/preload_check.hpp"
#include "os/process.hpp"

int main(int argc, char** argv) {
  using actord::ctl::Exit;
  actord::loader::try_plugin_if_asked(argc, argv);
  try {
    // A plugin that is looked at may print something.
    __gnu_cxx::stdio_filebuf<char> output(actord::os::take_standard_output(), std::ios::out);
    std::ostream out(&output);
    return static_cast<int>(actord::ctl::run_command({argv, argv + argc}, out, std::cerr));
  } catch (const std::exception& error) {  // out of memory, or no standard output
    std::cerr << "actorctl: error: " << error.what() << '\n';
    return static_cast<int>(Exit::operating_system);
  }
}
