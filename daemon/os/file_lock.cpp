// SPDX-License-Identifier: Apache-2.0
#include "os/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <utility>

namespace actord::os {

base::Result<FileLock, SystemError> FileLock::take(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0 || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return system_error("cannot lock " + path, errno);
  return FileLock(std::move(file));
}

}  // namespace actord::os
