// SPDX-License-Identifier: Apache-2.0
//
// The folder that is served, and the only door to files: what comes out of here lies below the
// root, also when symbolic links are followed and while the tree is being changed.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "target.hpp"

namespace static_site {

/// An open file descriptor; closed with its owner. -1: none.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept : descriptor_(other.release()) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    FileHandle dying{std::exchange(descriptor_, other.release())};
    return *this;
  }
  ~FileHandle();

  bool is_open() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  /// The caller closes it from now on.
  [[nodiscard]] int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_ = -1;
};

/// A regular file, open for reading.
struct Document {
  FileHandle file;
  std::uint64_t size_bytes = 0;
  std::chrono::sys_seconds modified{};
  std::string name;  // the last part of its path, as asked for
};

/// What a target leads to. `document` is open in the state `found` alone.
struct Lookup {
  enum class State { found, folder_without_slash, absent, forbidden, failed };
  State state = State::absent;
  Document document;
};

/// Any thread; holds nothing but the path.
class DocumentRoot {
 public:
  /// `path` is made absolute and free of links once, here. Throws std::system_error when it is no
  /// folder or may not be read.
  explicit DocumentRoot(const std::string& path);

  /// The file, or for a folder its index.html. Files outside the root, and what is neither file nor
  /// folder, are absent. `failed`: the system could not say (out of descriptors, read error).
  Lookup find(const Target& target) const;

  const std::string& path() const { return path_; }

 private:
  Lookup open(const std::string& relative, bool wants_folder) const;
  bool contains(int descriptor) const;

  std::string path_;
};

}  // namespace static_site
