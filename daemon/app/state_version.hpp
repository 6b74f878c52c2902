// SPDX-License-Identifier: Apache-2.0
//
// The format of a state directory, which its file `actord.version` names: whether this actord can
// use what another version of actord has left there.
//
// Not here: the format of the files of actors, which is up to their plugins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "config/boot_error.hpp"

namespace actord::app {

/// What the file says. Formats are counted from 1, and a directory without the file has format 1.
struct StateVersion {
  std::uint32_t format = 1;         // of the files that actord itself keeps in the directory
  std::uint32_t readable_from = 1;  // an actord whose own format is this or a later one can use it
  std::string actord;               // the version of actord that has brought the format there
};

/// The name of the file in the state directory.
inline constexpr std::string_view state_version_file = "actord.version";

/// The format that this actord writes. A change after which older versions misread the directory
/// raises `format`, and `readable_from` only if the version before cannot use it either: then no
/// downgrade is possible.
StateVersion own_state_version();

/// The content of the file.
std::string text_of(const StateVersion& version);

/// Reads that. Comments and keys of later versions are left out. The error says what is wrong.
base::Result<StateVersion, std::string> read_state_version(std::string_view text);

/// Refuses a directory that `own` cannot read, and brings one of an older format, or without the
/// file, to the format of `own`. One of a later format keeps it: the later files are still there.
/// To be called while the directory is locked, and before any other file in it is read.
base::Result<void, config::BootError> claim_state_directory(const std::string& directory,
                                                            const StateVersion& own);

}  // namespace actord::app
