// SPDX-License-Identifier: Apache-2.0
//
// Tells when a file in a folder, or in a folder below it, changes.
//
// Not watched: folders and files whose names begin with a dot, backup files of editors, and folders
// in which CMake has built something.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// Used by one thread at a time.
class SourceWatch {
 public:
  /// `build` is a folder that is not watched, whatever is in it.
  static base::Result<SourceWatch, SystemError> open(const std::string& folder, std::string build);

  /// Can be read when something may have changed.
  int fd() const noexcept { return queue_.get(); }
  /// Takes what has happened since the last call. The path of a file that has changed; empty: none
  /// has, as far as it is watched.
  std::string take_change();

 private:
  SourceWatch(Descriptor queue, std::string build)
      : queue_(std::move(queue)), build_(std::move(build)) {}

  base::Result<void, SystemError> add(const std::string& folder);
  bool is_watched(const std::string& folder) const;

  Descriptor queue_;
  std::string build_;
  std::map<int, std::string> folders_;  // by the number of the watch
};

}  // namespace actord::os
