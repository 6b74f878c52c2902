// SPDX-License-Identifier: Apache-2.0
//
// The message to a user that may not use the daemon's socket.
#include "ctl/access_help.hpp"

#include <doctest/doctest.h>
#include <grp.h>

#include "os/local_socket.hpp"
#include "unit/ctl/ctl_support.hpp"

using namespace actord;
using namespace actord::ctl;

TEST_SUITE_BEGIN("ctl/access_help");

TEST_CASE("one may become a member of the socket's group") {
  const group* const entry = ::getgrnam("daemon");
  REQUIRE(entry != nullptr);
  CHECK(has(access_help(entry->gr_gid),
            "members of the group daemon may use it: usermod -aG daemon "));
}

TEST_CASE("the advice never names root's group, or the one that is none") {
  CHECK(access_help(0) == "root and the user that actord runs as may use it");
  CHECK(access_help(os::no_group) == access_help(0));
  const group* const nogroup = ::getgrnam("nogroup");
  if (nogroup != nullptr) CHECK(access_help(nogroup->gr_gid) == access_help(0));
}

TEST_SUITE_END();
