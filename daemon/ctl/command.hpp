// SPDX-License-Identifier: Apache-2.0
//
// actorctl from the command line to the exit status.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "ctl/verb.hpp"

namespace actord::ctl {

/// `words` is the command line including the program name; `terminal_fd` the descriptor of `out` if
/// that is a terminal, else -1.
Exit run_command(const std::vector<std::string>& words, std::ostream& out, std::ostream& err,
                 int terminal_fd = -1);

}  // namespace actord::ctl
