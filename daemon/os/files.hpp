// SPDX-License-Identifier: Apache-2.0
//
// The few things the daemon does with files itself; each answers with errno when it is refused.
// Not here: reading configuration files (hocon/source.hpp) and writing the log (sinks/).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// Creates `path` with what is missing above it, for owner and group alone (0750), and makes sure
/// that files can be created there. A relative path is taken from the working directory.
base::Result<void, SystemError> make_directory(const std::string& path);

/// Whether that can be, as far as it shows without changing anything.
base::Result<void, SystemError> may_make_directory(const std::string& path);

/// The bytes of a file, mapped: what is not looked at is not read. Whoever shortens the file
/// meanwhile kills the process, as with a library that is loaded.
class FileMap {
 public:
  explicit FileMap(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}
  ~FileMap();
  FileMap(FileMap&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  FileMap& operator=(FileMap&&) = delete;

  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

/// All bytes of a regular file; EFBIG when there are more than `size_max`.
base::Result<FileMap, SystemError> map_file(const std::string& path, std::size_t size_max);

/// The names in a folder but `.` and `..`, in no order.
base::Result<std::vector<std::string>, SystemError> names_in(const std::string& folder);

/// What a path leads to, links followed.
struct FileFacts {
  enum class Kind : std::uint8_t { regular, folder, null_device, other };
  Kind kind = Kind::other;
  std::uint64_t size = 0;  // bytes, of a regular file
  bool others_may_read = false;
  bool others_may_write = false;
};
base::Result<FileFacts, SystemError> facts_of(const std::string& path);

bool is_directory(const std::string& path);

/// Anything of that name, also what may not be opened; false when a folder on the way forbids to
/// look.
bool exists(const std::string& path);

/// Without symbolic links, `.` and `..`; as it was given when it does not exist.
std::string real_path(const std::string& path);

}  // namespace actord::os
