// SPDX-License-Identifier: Apache-2.0
//
// The daemon's own file operations. Results carry errno if an operation fails. Not here: reading
// configuration files (hocon/source.hpp) and writing the log (sinks/).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "os/descriptor.hpp"
#include "os/system_error.hpp"

namespace actord::os {

/// Creates the directory `path` and its missing parents with mode 0750, and checks that files can
/// be created in it. A relative path starts at the working directory.
base::Result<void, SystemError> make_directory(const std::string& path);

/// Creates the directory `path`, whose parent exists, for this user alone.
base::Result<void, SystemError> make_private_directory(const std::string& path);

/// Whether make_directory() would succeed, as far as this can be known without changing anything.
base::Result<void, SystemError> can_make_directory(const std::string& path);

/// A file mapped into memory; pages are read when they are accessed. If the file is shortened
/// meanwhile, an access ends the process with SIGBUS.
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

/// Maps a regular file. EFBIG: it has more than `size_max` bytes.
base::Result<FileMap, SystemError> map_file(const std::string& path, std::size_t size_max);

/// The content of a regular file that has at most `size_max` bytes; else EFBIG.
base::Result<std::string, SystemError> read_file(const std::string& path, std::size_t size_max);

/// Writes all of `text`. False: the descriptor has failed, and errno tells why. Async-signal-safe.
bool write_all(int fd, std::string_view text) noexcept;

/// Writes `text` over the beginning of the file. False: it has failed, and errno tells why.
/// Async-signal-safe.
bool write_at_start(int fd, std::string_view text) noexcept;

/// Creates a file with that content, and its directory if that is missing, with the owner, the
/// group and the mode of the file `like`. EEXIST: there is one already. On another error there is
/// none.
base::Result<void, SystemError> create_file(const std::string& path, std::string_view content,
                                            const std::string& like);

/// Writes a file that only this user may read; one that is there is replaced.
base::Result<void, SystemError> write_private_file(const std::string& path,
                                                   std::string_view content);

/// The same, and at each moment the path has either the old content or the new one, also after a
/// loss of power. On an error it has the old one.
base::Result<void, SystemError> replace_private_file(const std::string& path,
                                                     std::string_view content);

/// A file of `size` zeros that only this user may access, for writing. If the disk has no room for
/// that, one of `least`.
base::Result<Descriptor, SystemError> reserve_private_file(const std::string& path,
                                                           std::size_t size, std::size_t least);

/// Cuts a file off behind its first `size` bytes, if it has more.
base::Result<void, SystemError> shorten_file(const std::string& path, std::size_t size);

/// A file without a name that every user may read, open at its beginning.
base::Result<Descriptor, SystemError> file_in_memory(std::string_view content);

/// The names in a directory without `.` and `..`, in no order.
base::Result<std::vector<std::string>, SystemError> names_in(const std::string& folder);

/// Facts about the file at a path; symbolic links are followed.
struct FileFacts {
  enum class Kind : std::uint8_t { regular, folder, null_device, other };
  Kind kind = Kind::other;
  std::uint64_t size = 0;  // in bytes; only of a regular file
  uid_t owner = 0;
  bool group_may_write = false;
  bool others_may_read = false;
  bool others_may_write = false;
};
base::Result<FileFacts, SystemError> facts_of(const std::string& path);

bool is_directory(const std::string& path);

/// Whether there is an entry at `path`, even one that cannot be opened. False if a directory above
/// it cannot be searched.
bool exists(const std::string& path);

/// `path` without symbolic links, `.` and `..`; unchanged if the file does not exist.
std::string real_path(const std::string& path);

}  // namespace actord::os
