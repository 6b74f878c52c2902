// SPDX-License-Identifier: Apache-2.0
//
// Why a plugin is not taken, said to the operator who has to mend it.
#pragma once

#include <cstdint>
#include <string>

namespace actord::loader {

struct Refusal {
  enum class Kind : std::uint8_t {
    missing,        // in none of the folders: the configuration names what is not there
    not_permitted,  // the file is there and may not be read
    refused         // the file is there and is not taken
  };
  Kind kind = Kind::refused;
  std::string what;  // one sentence without the file's name
  std::string help;  // how to mend it; may be empty
  std::string file;  // empty when none was found
};

}  // namespace actord::loader
