// SPDX-License-Identifier: Apache-2.0
//
// actorctl: checks and shows configurations and controls a running daemon. The verbs are in ctl/.
#include <unistd.h>
#include <ext/stdio_filebuf.h>

#include <exception>
#include <iostream>

#include "ctl/command.hpp"
#include "loader/plugin_scan.hpp"
#include "os/process.hpp"

int main(int argc, char** argv) {
  using actord::ctl::Exit;
  actord::loader::run_plugin_scan_if_asked(argc, argv);
  try {
    // Plugins that a verb loads may print to standard output. The verb's own output uses a copy of
    // it.
    const int fd = actord::os::take_standard_output();
    __gnu_cxx::stdio_filebuf<char> output(fd, std::ios::out);
    std::ostream out(&output);
    return static_cast<int>(
        actord::ctl::run_command({argv, argv + argc}, out, std::cerr, ::isatty(fd) == 1 ? fd : -1));
  } catch (const std::exception& error) {  // out of memory, or standard output is closed
    std::cerr << "actorctl: error: " << error.what() << '\n';
    return static_cast<int>(Exit::operating_system);
  }
}
