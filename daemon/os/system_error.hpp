// SPDX-License-Identifier: Apache-2.0
//
// An error of the operating system.
#pragma once

#include <string>

namespace actord::os {

struct SystemError {
  int number = 0;  // errno
  std::string
      what;  // one sentence that names the object: "cannot create /x/y: Read-only file system"

  /// Whether a permission is missing, so that a retry would fail too.
  bool is_not_permitted() const noexcept;
};

/// An error whose sentence begins with `doing`: "cannot create /x/y".
SystemError system_error(std::string doing, int number);

}  // namespace actord::os
