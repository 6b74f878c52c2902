// SPDX-License-Identifier: Apache-2.0
//
// Looking at the system as another user does.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// A user with all groups of the user database.
struct UserIds {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> groups;
};

/// ENOENT: there is no such user.
base::Result<UserIds, SystemError> find_user(const std::string& name);

/// Calls `look` on a new thread that has the ids of `user`, and waits for its end. Other threads
/// keep their ids. EPERM: this process may not change its ids; then `look` is not called. `look`
/// throws nothing.
base::Result<void, SystemError> as_user(const UserIds& user, const std::function<void()>& look);

}  // namespace actord::os
