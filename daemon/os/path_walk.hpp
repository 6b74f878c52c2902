// SPDX-License-Identifier: Apache-2.0
//
// Everything that a path leads through: each folder and each symbolic link from the root to the
// file, with its owner and mode. Each component is opened below the folder that was opened before
// it, and its facts are read from that descriptor.
//
// Not here: what owners and modes mean (loader/plugin_trust.hpp).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "os/system_error.hpp"

namespace actord::os {

struct PathComponent {
  enum class Kind : std::uint8_t { folder, link, file };
  std::string path;  // absolute; no symbolic links above the last name
  Kind kind = Kind::folder;
  uid_t owner = 0;
  mode_t mode = 0;  // the permissions with the sticky bit, without the kind
};

struct WalkedPath {
  std::vector<PathComponent> components;  // in the order of the walk, from "/" on
  std::string file;                       // absolute, without symbolic links
};

/// A relative path begins at the working directory. ELOOP: more than 40 symbolic links.
base::Result<WalkedPath, SystemError> walk(const std::string& path);

}  // namespace actord::os
