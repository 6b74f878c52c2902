// SPDX-License-Identifier: Apache-2.0
#include "os/elf_symbols.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <type_traits>
#include <vector>

#include "os/loaded_copies.hpp"

namespace actord::os {

namespace {

constexpr std::size_t table_size_max = std::size_t{1} << 27;

/// `count` objects from `offset` of the file; none if the file is shorter. The file is read and not
/// mapped, because an access to a mapped file ends the process if the file was shortened.
template <class T>
std::vector<T> read_table(std::ifstream& file, std::uint64_t offset, std::uint64_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (count > table_size_max / sizeof(T)) return {};
  std::vector<T> table(count);
  const auto size = static_cast<std::streamsize>(count * sizeof(T));
  file.seekg(static_cast<std::streamoff>(offset));
  if (!file.read(reinterpret_cast<char*>(table.data()), size)) return {};
  return table;
}

/// The path from which the library with the code at `address` was loaded, if that is a copy.
std::string copy_at(const void* address) {
  dl_find_object found = {};
  if (::_dl_find_object(const_cast<void*>(address), &found) != 0) return {};
  const char* const path = found.dlfo_link_map->l_name;
  return original_of(path) != nullptr ? path : std::string{};
}

/// The path of the file that is mapped at `address`; empty if the kernel says that it was deleted
/// or replaced.
std::string file_mapped_at(const void* address) {
  if (std::string copy = copy_at(address); !copy.empty()) return copy;
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    fields >> std::hex >> begin >> dash >> end;
    if (wanted < begin || wanted >= end) continue;
    const std::size_t path = line.find('/');
    if (path == line.npos || line.ends_with(" (deleted)")) return {};
    return line.substr(path);
  }
  return {};
}

/// The function that has the code at `offset`, in the symbol table with these strings.
std::string function_at(const std::vector<ElfW(Sym)>& symbols, const std::vector<char>& strings,
                        std::uintptr_t offset) {
  for (const ElfW(Sym) & symbol : symbols) {
    const bool is_function = (symbol.st_info & 0xf) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
    if (!is_function || symbol.st_name >= strings.size()) continue;
    if (offset < symbol.st_value || offset - symbol.st_value >= symbol.st_size) continue;
    const char* const name = strings.data() + symbol.st_name;
    return {name, ::strnlen(name, strings.size() - symbol.st_name)};
  }
  return {};
}

/// The header of an ELF file; nullopt: it is none of this kind of machine.
std::optional<ElfW(Ehdr)> header_of(std::ifstream& file) {
  const auto headers = read_table<ElfW(Ehdr)>(file, 0, 1);
  if (headers.empty()) return std::nullopt;
  const ElfW(Ehdr)& header = headers.front();
  const bool is_known = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                        header.e_shentsize == sizeof(ElfW(Shdr)) &&
                        header.e_phentsize == sizeof(ElfW(Phdr));
  return is_known ? std::optional(header) : std::nullopt;
}

std::string function_in(std::ifstream& file, const ElfW(Ehdr) & header, std::uintptr_t offset) {
  const auto sections = read_table<ElfW(Shdr)>(file, header.e_shoff, header.e_shnum);
  // A stripped file has only the table of the functions that it exports.
  for (const ElfW(Word) type : {SHT_SYMTAB, SHT_DYNSYM}) {
    for (const ElfW(Shdr) & section : sections) {
      if (section.sh_type != type || section.sh_link >= sections.size()) continue;
      const ElfW(Shdr)& texts = sections[section.sh_link];
      const auto symbols =
          read_table<ElfW(Sym)>(file, section.sh_offset, section.sh_size / sizeof(ElfW(Sym)));
      const auto strings = read_table<char>(file, texts.sh_offset, texts.sh_size);
      if (std::string name = function_at(symbols, strings, offset); !name.empty()) return name;
    }
  }
  return {};
}

/// The build id among the notes of a segment; empty: it is not there.
std::span<const unsigned char> build_id_in(std::span<const unsigned char> notes) noexcept {
  constexpr std::string_view owner{"GNU", 4};  // with its NUL
  const auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    notes = notes.subspan(sizeof note);
    const std::size_t name = padded(note.n_namesz), content = padded(note.n_descsz);
    if (name > notes.size() || note.n_descsz > notes.size() - name) return {};
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == owner.size() &&
        std::memcmp(notes.data(), owner.data(), owner.size()) == 0)
      return notes.subspan(name, note.n_descsz);
    notes = notes.subspan(std::min(name + content, notes.size()));
  }
  return {};
}

std::string build_id_of(std::ifstream& file, const ElfW(Ehdr) & header) {
  for (const ElfW(Phdr) & segment : read_table<ElfW(Phdr)>(file, header.e_phoff, header.e_phnum)) {
    if (segment.p_type != PT_NOTE) continue;
    const auto notes = read_table<unsigned char>(file, segment.p_offset, segment.p_filesz);
    std::string text = hexadecimal(build_id_in(notes));
    if (!text.empty()) return text;
  }
  return {};
}

/// Empty unless it is a regular file: opening a FIFO waits for a writer.
std::ifstream opened(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) ? std::ifstream(path, std::ios::binary)
                                                         : std::ifstream();
}

}  // namespace

std::string hexadecimal(std::span<const unsigned char> build_id) {
  std::string text;
  for (const unsigned char byte : build_id) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string elf_symbol(const void* address, std::uintptr_t offset) {
  const std::string path = file_mapped_at(address);
  if (path.empty()) return {};
  std::ifstream file = opened(path);
  const auto header = header_of(file);
  return header ? function_in(file, *header, offset) : std::string{};
}

std::string elf_symbol_in(const std::string& path, std::uintptr_t offset,
                          std::string_view build_id) {
  std::ifstream file = opened(path);
  const auto header = header_of(file);
  if (!header || build_id.empty() || build_id_of(file, *header) != build_id) return {};
  return function_in(file, *header, offset);
}

std::string elf_build_id(const std::string& path) {
  std::ifstream file = opened(path);
  const auto header = header_of(file);
  return header ? build_id_of(file, *header) : std::string{};
}

std::span<const unsigned char> build_id_at(const void* address) noexcept {
  dl_find_object found = {};
  if (::_dl_find_object(const_cast<void*>(address), &found) != 0) return {};
  const auto* const begin = static_cast<const unsigned char*>(found.dlfo_map_start);
  const auto* const end = static_cast<const unsigned char*>(found.dlfo_map_end);
  const auto size = static_cast<std::size_t>(end - begin);
  ElfW(Ehdr) header;
  if (size < sizeof header) return {};
  std::memcpy(&header, begin, sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    const std::size_t at = header.e_phoff + i * sizeof segment;
    if (at > size || sizeof segment > size - at) return {};
    std::memcpy(&segment, begin + at, sizeof segment);
    if (segment.p_type != PT_NOTE) continue;
    const auto* const notes =
        reinterpret_cast<const unsigned char*>(found.dlfo_link_map->l_addr + segment.p_vaddr);
    if (notes < begin || notes > end || segment.p_memsz > static_cast<std::size_t>(end - notes))
      continue;
    const auto id = build_id_in({notes, segment.p_memsz});
    if (!id.empty()) return id;
  }
  return {};
}

}  // namespace actord::os
