// SPDX-License-Identifier: Apache-2.0
//
// The program `actord-host`, which actord starts: it loads one plugin, and does on lanes of shared
// memory what the runtime says. It ends with actord.
#pragma once

namespace actord::host {

/// The status of the process, if it ends that way.
int run(int argc, const char* const* argv);

}  // namespace actord::host
