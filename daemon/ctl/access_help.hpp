// SPDX-License-Identifier: Apache-2.0
//
// Help for an operator without access to the daemon's socket.
#pragma once

#include <sys/types.h>

#include <string>

namespace actord::ctl {

/// Names the users of a socket with that group, and says how to become one. The groups root and
/// nogroup are left out.
std::string access_help(gid_t group);

}  // namespace actord::ctl
