// SPDX-License-Identifier: Apache-2.0
//
// What somebody can do who may not use the daemon's socket.
#pragma once

#include <sys/types.h>

#include <string>

namespace actord::ctl {

/// Who may use a socket of that group, and how one becomes a member: not of root's group, nor of
/// the one that stands for no group at all.
std::string who_may(gid_t group);

}  // namespace actord::ctl
