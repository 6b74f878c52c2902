// SPDX-License-Identifier: Apache-2.0
//
// actorctl from its command line to its exit status.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "ctl/verb.hpp"

namespace actord::ctl {

/// `words` are those of the command line, the name of the program first.
Exit run_command(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

}  // namespace actord::ctl
