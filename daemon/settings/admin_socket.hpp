// SPDX-License-Identifier: Apache-2.0
//
// admin.socket: the path of the socket that actorctl connects to.
//
// Not here: the socket itself (os/local_socket.hpp, admin).
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Sets the path of the socket: the value of the key, else the first directory of
/// $RUNTIME_DIRECTORY, else the state directory, which must have been read. A path that is too long
/// for a socket is an error.
void read_admin_socket(ObjectReader& admin, Settings& settings, const ReadOptions& options);

}  // namespace actord::settings
