// SPDX-License-Identifier: Apache-2.0
//
// A copy of a file in memory that nothing can change any more: no writer, and not this process
// either. Code that is mapped from it survives whatever happens to the file.
//
// The copy lies in a memfd that is sealed. Its memory counts as that of the process.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/files.hpp"
#include "os/system_error.hpp"

namespace actord::os {

class SealedCopy {
 public:
  /// Copies the regular file at `file`, whose last component is no symbolic link. `name` is what
  /// the system's tools show in the maps of the process: /memfd:NAME. EFBIG: the file has more than
  /// `size_max` bytes. EAGAIN: it was changed meanwhile.
  static base::Result<SealedCopy, SystemError> of(const std::string& file, const std::string& name,
                                                  std::size_t size_max);

  /// Open for the life of the copy. A process that inherits it has the copy, too.
  int descriptor() const noexcept { return copy_.get(); }
  /// Leads to the copy as long as the copy and this process live, in this process and for
  /// debuggers: "/proc/4711/fd/7".
  const std::string& path() const noexcept { return path_; }
  base::Result<FileMap, SystemError> map() const { return map_file(path_, SIZE_MAX); }
  /// Whether the file at `file` has the same content now.
  base::Result<bool, SystemError> is_like(const std::string& file) const;

 private:
  explicit SealedCopy(Descriptor copy);

  Descriptor copy_;
  std::string path_;
};

}  // namespace actord::os
