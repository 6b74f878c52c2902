// SPDX-License-Identifier: Apache-2.0
//
// The whole text of a file and its identity. No other file of this room reads from the file system.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace actord::hocon {

struct FileText {
  std::string text;
  std::uint64_t device = 0;  // with `inode`: identifies the file under any name
  std::uint64_t inode = 0;
};

struct FileFailure {
  // an errno; EISDIR for folders, EFBIG beyond the limit, ETIMEDOUT for a stuck pipe
  int error = 0;
  std::string what;
};

/// Reads the file, at most `limit` bytes. A FIFO without a writer is an empty file; for the data of
/// other pipes it waits up to 10 s.
base::Result<FileText, FileFailure> read_file(const std::string& path, std::uint64_t limit);

/// True if `path` exists and is no folder.
bool is_file(const std::string& path) noexcept;
bool is_folder(const std::string& path) noexcept;

}  // namespace actord::hocon
