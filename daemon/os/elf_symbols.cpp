// SPDX-License-Identifier: Apache-2.0
#include "os/elf_symbols.hpp"

#include <link.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <sstream>
#include <type_traits>
#include <vector>

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

/// The path of the file that is mapped at `address`; empty if the kernel says that it was deleted
/// or replaced.
std::string file_mapped_at(const void* address) {
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

}  // namespace

std::string elf_symbol(const void* address, std::uintptr_t offset) {
  const std::string path = file_mapped_at(address);
  if (path.empty()) return {};
  std::ifstream file(path, std::ios::binary);
  const auto headers = read_table<ElfW(Ehdr)>(file, 0, 1);
  if (headers.empty()) return {};
  const ElfW(Ehdr)& header = headers.front();
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_shentsize != sizeof(ElfW(Shdr)))
    return {};
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

}  // namespace actord::os
