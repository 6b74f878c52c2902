// SPDX-License-Identifier: Apache-2.0
//
// A folder on a disk for the rows of the journal, which is removed with its content.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "measuring.hpp"

namespace actord::bench {

/// In /var/tmp, since /tmp may be in memory.
class DiskFolder {
 public:
  DiskFolder() : path_("/var/tmp/actord-bench-XXXXXX") {
    check(::mkdtemp(path_.data()) != nullptr, "persist: no folder in /var/tmp");
  }
  DiskFolder(const DiskFolder&) = delete;
  DiskFolder& operator=(const DiskFolder&) = delete;
  ~DiskFolder() { std::filesystem::remove_all(path_); }
  std::string at(const char* name) const { return path_ + '/' + name; }

 private:
  std::string path_;
};

}  // namespace actord::bench
