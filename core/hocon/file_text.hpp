// SPDX-License-Identifier: Apache-2.0
//
// A file's whole text, and which file it was: the room's only door to the file system.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace actord::hocon {

struct FileText {
  std::string text;
  std::uint64_t device = 0;  // with `inode`: the same file under any name
  std::uint64_t inode = 0;
};

struct FileFailure {
  int error = 0;  // an errno; EISDIR for folders, EFBIG beyond the limit
  std::string what;
};

/// Reads up to `limit` bytes. A FIFO without a writer is an empty file.
base::Result<FileText, FileFailure> read_file(const std::string& path, std::uint64_t limit);

/// True when `path` names something that is no folder.
bool is_file(const std::string& path) noexcept;
bool is_folder(const std::string& path) noexcept;

}  // namespace actord::hocon
