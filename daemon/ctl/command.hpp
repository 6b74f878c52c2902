// SPDX-License-Identifier: Apache-2.0
//
// actorctl from the command line to the exit status.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "ctl/verb.hpp"

namespace actord::ctl {

/// `words` is the command line including the program name.
Exit run_command(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace actord::ctl
