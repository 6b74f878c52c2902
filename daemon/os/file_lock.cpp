// SPDX-License-Identifier: Apache-2.0
#include "os/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace actord::os {

base::Result<FileLock, SystemError> FileLock::take(const std::string& path) {
  FileLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock.fd_ < 0 || ::flock(lock.fd_, LOCK_EX | LOCK_NB) != 0)
    return system_error("cannot lock " + path, errno);
  return lock;
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace actord::os
