// SPDX-License-Identifier: Apache-2.0
//
// Names of functions, from the symbol tables in the file of a library: all functions, or if the
// file was stripped those that it exports.
#pragma once

#include <cstdint>
#include <string>

namespace actord::os {

/// The symbol of the function at `address`, which is `offset` bytes behind the place at which its
/// file is loaded. Empty: not found, or the file was replaced since it was loaded. Reads files.
std::string elf_symbol(const void* address, std::uintptr_t offset);

}  // namespace actord::os
