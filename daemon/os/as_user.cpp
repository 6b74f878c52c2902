// SPDX-License-Identifier: Apache-2.0
//
// The kernel keeps ids for each thread; it is the C library's functions that change them in all
// threads. The system calls themselves change those of the calling thread alone.
#include "os/as_user.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/sync.hpp"

namespace actord::os {

base::Result<UserIds, SystemError> find_user(const std::string& name) {
  std::vector<char> buffer(1024);
  passwd entry = {};
  passwd* found = nullptr;
  while (::getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) == ERANGE &&
         buffer.size() < 1U << 20)
    buffer.resize(buffer.size() * 2);
  if (found == nullptr) return SystemError{ENOENT, "there is no user " + name};
  UserIds user{name, found->pw_uid, found->pw_gid, std::vector<gid_t>(16)};
  int count = static_cast<int>(user.groups.size());
  while (::getgrouplist(name.c_str(), user.gid, user.groups.data(), &count) < 0)
    user.groups.resize(static_cast<std::size_t>(count));
  user.groups.resize(static_cast<std::size_t>(count));
  return user;
}

base::Result<void, SystemError> as_user(const UserIds& user, const std::function<void()>& look) {
  int number = 0;
  base::Thread thread([&] {
    const bool is_changed = ::syscall(SYS_setgroups, user.groups.size(), user.groups.data()) == 0 &&
                            ::syscall(SYS_setresgid, user.gid, user.gid, user.gid) == 0 &&
                            ::syscall(SYS_setresuid, user.uid, user.uid, user.uid) == 0;
    if (is_changed) look();
    else number = errno;
  });
  thread.join();
  if (number != 0) return system_error("cannot become user " + user.name, number);
  return {};
}

}  // namespace actord::os
