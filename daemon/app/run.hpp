// SPDX-License-Identifier: Apache-2.0
//
// `actord` from the command line to the exit status.
#pragma once

namespace actord::app {

/// Returns the exit status. Throws only unexpected errors, such as a lack of memory.
int run(int argc, const char* const* argv);

}  // namespace actord::app
