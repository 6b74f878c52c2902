// SPDX-License-Identifier: Apache-2.0
//
// Names of functions, from the symbol tables in the file of a library: all functions, or if the
// file was stripped those that it exports.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace actord::os {

/// The symbol of the function at `address`, which is `offset` bytes behind the place at which its
/// library is loaded. If that is a copy (loaded_copies.hpp), the copy is read, so that what runs is
/// named whatever has become of the file. Empty: not found, or the file was replaced since it was
/// loaded. Reads files.
std::string elf_symbol(const void* address, std::uintptr_t offset);

/// The symbol of the function at `offset` of a file that may not be loaded. Empty: not found, or it
/// is another build than the one with this build id, in hexadecimal.
std::string elf_symbol_in(const std::string& path, std::uintptr_t offset,
                          std::string_view build_id);

/// A build id as people and tools write it.
std::string hexadecimal(std::span<const unsigned char> build_id);

/// The build id of a file, in hexadecimal; empty: it has none, or is no ELF file.
std::string elf_build_id(const std::string& path);

/// The build id of the library or executable whose code is mapped at `address`; empty: it has none.
/// It lies in the mapped file. Async-signal-safe.
std::span<const unsigned char> build_id_at(const void* address) noexcept;

}  // namespace actord::os
