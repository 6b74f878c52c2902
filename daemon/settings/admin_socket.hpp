// SPDX-License-Identifier: Apache-2.0
//
// admin.socket: where actorctl finds this daemon.
//
// Not here: the socket itself (os/local_socket.hpp, admin).
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Sets the path of the socket: as the section says, else in the first of $RUNTIME_DIRECTORY, else
/// in the state directory, which must have been read. One that is too long for a socket is an
/// error.
void read_admin_socket(ObjectReader admin, Settings& settings, const ReadOptions& options);

}  // namespace actord::settings
