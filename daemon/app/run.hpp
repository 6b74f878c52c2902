// SPDX-License-Identifier: Apache-2.0
//
// What `actord` does from the command line to the exit status.
#pragma once

#include "app/exit_codes.hpp"

namespace actord::app {

/// Answers with the exit status. Throws only what nobody could foresee.
int run(int argc, const char* const* argv);

}  // namespace actord::app
