// SPDX-License-Identifier: Apache-2.0
//
// Drop-ins: folders of small files beside the main one, and which of the files in them count.
//
// Files are taken in the byte order of their names, whatever folder they lie in. Of several with
// one name only that of the strongest folder counts; if it is empty or leads to /dev/null, none
// does. Names that do not end in .conf, .json, .yaml or .yml are skipped, as are hidden files and
// what editors and package managers leave behind.
//
// Not here: what is in the files, and where the folders are (layers.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hocon/source.hpp"

namespace actord::layers {

/// Where a file stands among the layers, the weakest first.
enum class Layer : std::uint8_t { vendor, main, administrator };

/// A file, or a folder of drop-ins, that was looked at.
struct LookedAt {
  enum class Fate : std::uint8_t {
    loaded,
    missing,  // a file that is named, or a folder that does not exist
    masked,   // by a file of the same name in a stronger folder
    masking,  // empty, or a link to /dev/null: no file of that name is read
    skipped,  // for its name or kind
    failed,   // it could not be read; an error says why
  };

  std::string path;
  Layer layer = Layer::main;
  Fate fate = Fate::loaded;
  std::string why;            // of masked: by which file; of skipped and masking: the reason
  std::string included_from;  // "file:line"; empty for files that are layers of their own
};

struct DropInFolder {
  std::string path;
  Layer layer = Layer::administrator;
};

struct DropIns {
  std::vector<LookedAt> files;  // in the order of their names; those that are loaded, in this order
  std::vector<hocon::FileError> errors;
  hocon::Diagnostics warnings;
};

/// What lies in `folders`, the weakest first. A folder that does not exist is empty.
DropIns find_drop_ins(const std::vector<DropInFolder>& folders);

}  // namespace actord::layers
