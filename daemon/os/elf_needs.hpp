// SPDX-License-Identifier: Apache-2.0
//
// The libraries that a library names as its needs, and where it says that they are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace actord::os {

/// What the dynamic section of an ELF file says. Threads: any.
struct ElfNeeds {
  std::vector<std::string> libraries;  // DT_NEEDED, as written there
  std::vector<std::string> folders;    // DT_RUNPATH, or without that DT_RPATH, as written there
};

/// Empty if `file` is no such file, or is damaged.
ElfNeeds elf_needs(std::span<const std::byte> file);

/// The needed libraries that lie where `needs` says with the word $ORIGIN, if the library were in
/// the folder `origin`; absolute paths.
std::vector<std::string> libraries_beside(const ElfNeeds& needs, const std::string& origin);

}  // namespace actord::os
