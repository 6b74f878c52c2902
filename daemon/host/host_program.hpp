// SPDX-License-Identifier: Apache-2.0
//
// The program `actord-host`, which actord starts: it loads one plugin, and does on lanes of shared
// memory what the runtime says. It ends with actord.
#pragma once

#include <string>

namespace actord::host {

/// Takes the arguments of main(), and returns the name of the plugin. A zygote returns only in the
/// processes that it forks. Ends the process if it was not actord that has started it.
std::string begin(int argc, char** argv);
/// The status of the process, if it ends that way.
int run();

}  // namespace actord::host
