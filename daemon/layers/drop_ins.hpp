// SPDX-License-Identifier: Apache-2.0
//
// Drop-ins: finds the files in the drop-in directories, and decides which of them are read.
//
// Files are read in the byte order of their names, whatever directory they are in. If several
// files have one name, only that in the strongest directory counts; if that is empty or a link to
// /dev/null, none is read. Files are skipped if their name does not end in .conf, .json, .yaml or
// .yml, if they are hidden, and if they are backups of editors or package managers.
//
// Not here: the content of the files, and the paths of the directories (layers.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hocon/source.hpp"

namespace actord::layers {

/// The layer that a file belongs to, the weakest first.
enum class Layer : std::uint8_t { vendor, main, administrator };

/// A file or drop-in directory that was looked for.
struct LayerFile {
  enum class State : std::uint8_t {
    loaded,
    missing,  // the named file or the directory does not exist
    empty,    // a directory without entries
    masked,   // hidden by a file of the same name in a stronger directory
    masking,  // empty, or a link to /dev/null: no file of that name is read
    skipped,  // because of its name or kind
    failed,   // it cannot be read; an error says why
  };

  std::string path;
  Layer layer = Layer::main;
  State state = State::loaded;
  std::string why;  // masked: the path of the stronger file; skipped, masking: the reason
  // "file:line" of the include; empty for files that are layers of their own
  std::string included_from;
};

struct DropInFolder {
  std::string path;
  Layer layer = Layer::administrator;
};

struct DropIns {
  std::vector<LayerFile> files;  // ordered by name; loaded ones are read in this order
  std::vector<hocon::FileError> errors;
  hocon::Diagnostics warnings;
};

/// Examines `folders`, the weakest first. A missing directory counts as empty.
DropIns find_drop_ins(const std::vector<DropInFolder>& folders);

}  // namespace actord::layers
