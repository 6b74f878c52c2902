// SPDX-License-Identifier: Apache-2.0
//
// admin.roles and admin.default-role: what the clients of the admin socket may do.
//
// Not here: which verbs need which role (app/admin_verbs.hpp).
#pragma once

#include <sys/types.h>

#include <utility>
#include <vector>

#include "os/local_socket.hpp"
#include "schema/known_words.hpp"

namespace actord::settings {

class ObjectReader;

struct AdminRoles {
  /// The highest role of the client's groups; that of everyone else if it is in none of them. Root
  /// and the user of this process have the highest role.
  schema::Role role_of(const os::Peer& peer) const noexcept;

  schema::Role otherwise = schema::Role::admin;
  std::vector<std::pair<gid_t, schema::Role>> groups;
};

/// Reads both keys of the section `admin`. A group that does not exist gets a warning.
AdminRoles read_admin_roles(ObjectReader& admin);

}  // namespace actord::settings
