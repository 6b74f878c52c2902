// SPDX-License-Identifier: Apache-2.0
//
// The folder that is served, and the only way to files. Every file that it opens is below the root,
// also if symbolic links are followed and while the tree changes.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "target.hpp"

namespace static_site {

/// Owns a file descriptor and closes it. -1: none.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept : descriptor_(other.release()) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    FileHandle to_close{std::exchange(descriptor_, other.release())};
    return *this;
  }
  ~FileHandle();

  /// Whether there is a descriptor.
  bool is_open() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  /// Gives the descriptor to the caller, which closes it.
  [[nodiscard]] int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_ = -1;
};

/// A regular file, open for reading.
struct Document {
  FileHandle file;
  std::uint64_t size_bytes = 0;
  std::chrono::sys_seconds modified{};
  std::string name;  // last part of the path in the request
};

/// The result of find(). `document` is open only in the state `found`.
struct Lookup {
  enum class State { found, folder_without_slash, absent, forbidden, failed };
  State state = State::absent;
  Document document;
};

/// Finds files below a folder. Threads: any, because its only state is the path.
class DocumentRoot {
 public:
  /// The constructor makes `path` absolute and resolves its symbolic links. Throws
  /// std::system_error if it is no folder or cannot be read.
  explicit DocumentRoot(const std::string& path);

  /// Finds a file, or the index.html of a folder. Files outside the root, and entries that are
  /// neither file nor folder, are `absent`. `failed` is an error of the system, such as no
  /// descriptors left.
  Lookup find(const Target& target) const;

  const std::string& path() const { return path_; }

 private:
  Lookup open(const std::string& relative, bool wants_folder) const;
  bool contains(int descriptor) const;

  std::string path_;
};

}  // namespace static_site
