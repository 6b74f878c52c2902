// SPDX-License-Identifier: Apache-2.0
//
// Whether a folder or a file can be used, judged without changing anything.
//
// All functions judge for the effective user of the calling thread (as_user.hpp). A service with a
// view of the file system of its own may find something else.
#pragma once

#include <string>

#include "base/result.hpp"
#include "os/system_error.hpp"

namespace actord::os {

struct FileUse {
  bool reads = false;   // of a folder: lists it, and opens what is in it
  bool writes = false;  // of a folder: creates files in it
};

/// The error is one sentence such as "there is no folder /srv/x" or "user www may not enter the
/// folder /root".
base::Result<void, SystemError> check_folder(const std::string& path, FileUse use);

/// The same for a file that is no folder. One that is only written may be missing if its folder can
/// be written.
base::Result<void, SystemError> check_file(const std::string& path, FileUse use);

/// The same for a file in a folder that its user creates if that is missing, with its parents.
/// Without a name only the folder is judged.
base::Result<void, SystemError> check_file_in_made_folder(const std::string& folder,
                                                          const std::string& name, FileUse use);

}  // namespace actord::os
