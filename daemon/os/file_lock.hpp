// SPDX-License-Identifier: Apache-2.0
//
// A lock that at most one process holds. The kernel releases it when the process ends.
#pragma once

#include <string>
#include <utility>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// Holds an advisory lock (flock(2)) on a file of its own while the object lives. The file is never
/// removed: otherwise a second process could lock a new file of the same name.
class FileLock {
 public:
  /// Creates the file if it is missing, with mode 0600, because any process that may open a file
  /// may lock it. EWOULDBLOCK: another process holds the lock.
  static base::Result<FileLock, SystemError> take(const std::string& path);

 private:
  explicit FileLock(Descriptor file) noexcept : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace actord::os
