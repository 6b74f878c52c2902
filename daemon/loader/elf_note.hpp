// SPDX-License-Identifier: Apache-2.0
//
// Reads the note of a plugin from the bytes of its file. No code of the file runs, and every
// number in the file is checked before it is used.
//
// Not here: the meaning of the note's text (plugin_note.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.hpp"
#include "loader/refusal.hpp"

namespace actord::loader {

/// The text of the note with owner "actord" and type 1. Refused: a file that is not a shared
/// library for this machine, is truncated, requires an executable stack, needs a libc++ that is no
/// part of it, or has no such note.
/// `file` may be any bytes.
base::Result<std::string, Refusal> read_elf_note(std::span<const std::byte> file);

}  // namespace actord::loader
