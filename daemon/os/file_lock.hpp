// SPDX-License-Identifier: Apache-2.0
//
// A lock that one process at a time can hold, and that is gone with the process, however it ends.
#pragma once

#include <string>
#include <utility>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// Holds an advisory lock (flock(2)) on a file of its own as long as it lives. The file stays:
/// whoever removed it would let two hold the lock.
class FileLock {
 public:
  /// Creates the file where it is missing, for the owner alone: anybody who may read a file, or a
  /// folder, may lock it. EWOULDBLOCK: somebody else holds it.
  static base::Result<FileLock, SystemError> take(const std::string& path);

 private:
  explicit FileLock(Descriptor file) noexcept : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace actord::os
