// SPDX-License-Identifier: Apache-2.0
#include "ctl/access_help.hpp"

#include "os/local_socket.hpp"

namespace actord::ctl {

std::string access_help(gid_t group) {
  const std::string name = group == os::no_group ? std::string{} : os::group_name(group);
  const bool is_joined = !name.empty() && group != 0 && name != "nogroup" && name != "nobody";
  if (!is_joined) return "root and the user that actord runs as may use it";
  return "root and the members of the group " + name + " may use it: usermod -aG " + name + ' ' +
         os::user_name(os::own_user()) + ", then log in again";
}

}  // namespace actord::ctl
