// SPDX-License-Identifier: Apache-2.0
//
// Why a plugin is refused, for the operator.
#pragma once

#include <cstdint>
#include <string>

namespace actord::loader {

struct Refusal {
  enum class Kind : std::uint8_t {
    missing,        // in none of the directories
    not_permitted,  // the file exists and may not be read
    refused,        // the file exists and cannot be used as a plugin
    broken,         // the same, as its code crashes, hangs or exits when it is loaded
    changing,       // the file was changed while it was read
    withheld        // the owner of the loader does not want it loaded
  };
  Kind kind = Kind::refused;
  std::string what;  // one sentence without the file name
  std::string help;  // how to correct it; may be empty
  std::string file;  // empty if no file was found
};

}  // namespace actord::loader
