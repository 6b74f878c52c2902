// SPDX-License-Identifier: Apache-2.0
//
// The note that a plugin carries, read from the bytes of its file: nothing of the file has run, and
// nothing in it is believed before it was checked.
//
// Not here: what the text of the note means (plugin_note.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.hpp"
#include "loader/refusal.hpp"

namespace actord::loader {

/// The text of the note of owner "actord", type 1. Refused: what is no shared library for this
/// machine, is cut off, wants an executable stack, or has no such note. Any bytes may be given.
base::Result<std::string, Refusal> read_elf_note(std::span<const std::byte> file);

}  // namespace actord::loader
