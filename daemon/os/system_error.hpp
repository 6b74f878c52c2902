// SPDX-License-Identifier: Apache-2.0
//
// What the operating system answered when it said no.
#pragma once

#include <string>

namespace actord::os {

struct SystemError {
  int number = 0;  // errno
  std::string
      what;  // one sentence that names the thing: "cannot create /x/y: Read-only file system"

  /// Whether it is a matter of permission, which trying again does not change.
  bool is_not_permitted() const noexcept;
};

/// `doing` is the beginning of the sentence: "cannot create /x/y".
SystemError system_error(std::string doing, int number);

}  // namespace actord::os
