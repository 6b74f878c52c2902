// SPDX-License-Identifier: Apache-2.0
#include "journal/reserve_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/descriptor.hpp"

namespace actord::journal {

bool ReserveFile::take() noexcept {
  if (is_taken_) return true;
  const os::Descriptor file(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0) return false;
  is_taken_ = ::posix_fallocate(file.get(), 0, static_cast<off_t>(bytes_)) == 0;
  if (!is_taken_ && ::ftruncate(file.get(), 0) != 0) return false;
  return is_taken_;
}

void ReserveFile::release() noexcept {
  is_taken_ = false;
  if (::truncate(path_.c_str(), 0) != 0) return;  // there is no file, or no right to it
}

}  // namespace actord::journal
