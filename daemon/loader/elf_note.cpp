// SPDX-License-Identifier: Apache-2.0
#include "loader/elf_note.hpp"

#include <elf.h>
#include <link.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "os/elf_needs.hpp"

namespace actord::loader {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view owner{"actord", 7};  // including its NUL
constexpr std::uint32_t note_type = 1;
constexpr std::size_t text_max = 4096;

constexpr unsigned char native_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char native_data =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
#if defined(__x86_64__)
constexpr ElfW(Half) native_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr ElfW(Half) native_machine = EM_AARCH64;
#elif defined(__riscv)
constexpr ElfW(Half) native_machine = EM_RISCV;
#else
#error "name the ELF machine of this architecture here"
#endif

Refusal refused(std::string what, std::string help = {}) {
  return {Refusal::Kind::refused, std::move(what), std::move(help), {}};
}

Refusal truncated() {
  return refused("it is a damaged or cut off shared library", "build or copy it again");
}

/// `size` bytes from `offset`; nullopt if the file is shorter. The comparison cannot overflow.
std::optional<Bytes> span(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

template <class T>
std::optional<T> copy_of(Bytes bytes, std::uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto from = span(bytes, offset, sizeof(T));
  if (!from) return std::nullopt;
  T value;
  std::memcpy(&value, from->data(), sizeof value);
  return value;
}

std::optional<Refusal> wrong_kind(const ElfW(Ehdr) & header) {
  if (header.e_ident[EI_CLASS] != native_class || header.e_ident[EI_DATA] != native_data ||
      header.e_machine != native_machine) {
    return refused("it is a shared library for another kind of machine",
                   "build it for the machine that runs the daemon");
  }
  if (header.e_type != ET_DYN) {
    return refused("it is an ELF file but not a shared library", "link it with -shared");
  }
  return std::nullopt;
}

using Segments = std::vector<ElfW(Phdr)>;

base::Result<Segments, Refusal> program_headers(Bytes file, const ElfW(Ehdr) & header) {
  // PN_XNUM means more than 65534 headers, which no shared library needs.
  if (header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phnum == PN_XNUM) return truncated();
  const auto table = span(file, header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(ElfW(Phdr)));
  if (!table) return truncated();
  Segments segments(header.e_phnum);
  if (!segments.empty()) std::memcpy(segments.data(), table->data(), table->size());
  for (const ElfW(Phdr) & segment : segments) {
    if ((segment.p_type == PT_LOAD || segment.p_type == PT_DYNAMIC || segment.p_type == PT_NOTE) &&
        !span(file, segment.p_offset, segment.p_filesz)) {
      return truncated();
    }
  }
  return segments;
}

/// A library without PT_GNU_STACK counts too: loading it makes all stacks of the process
/// executable.
bool wants_executable_stack(const Segments& segments) {
  for (const ElfW(Phdr) & segment : segments) {
    if (segment.p_type == PT_GNU_STACK) return (segment.p_flags & PF_X) != 0;
  }
  return true;
}

/// The functions for exceptions of a libc++ that is loaded on its own would be those of libstdc++,
/// which this process has already, and libc++ could not read the exceptions of its own plugin.
std::optional<Refusal> shared_libcxx(Bytes file) {
  for (const std::string& library : os::elf_needs(file).libraries) {
    if (!library.starts_with("libc++.so") && !library.starts_with("libc++abi.so")) continue;
    return refused("it loads " + library +
                       ", with which the exceptions of a plugin cannot be read in this process",
                   "link that into it with -static-libstdc++, as actord_add_plugin() does");
  }
  return std::nullopt;
}

/// Searches one PT_NOTE. Owner and text are padded to the segment's alignment, 4 or 8.
std::optional<std::string> note_in(Bytes notes, std::uint64_t alignment) {
  const std::uint64_t padding = alignment == 8 ? 7 : 3;
  const auto padded = [&](std::uint64_t size) { return (size + padding) & ~padding; };
  std::uint64_t at = 0;
  while (const auto header = copy_of<ElfW(Nhdr)>(notes, at)) {
    at += sizeof *header;
    const auto name = span(notes, at, header->n_namesz);
    const std::uint64_t text_at = at + padded(header->n_namesz);
    const auto text = span(notes, text_at, header->n_descsz);
    if (!name || !text) return std::nullopt;
    if (header->n_type == note_type && text->size() <= text_max &&
        std::string_view{reinterpret_cast<const char*>(name->data()), name->size()} == owner) {
      std::string found{reinterpret_cast<const char*>(text->data()), text->size()};
      while (!found.empty() && found.back() == '\0') found.pop_back();
      return found;
    }
    at = text_at + padded(header->n_descsz);
  }
  return std::nullopt;
}

}  // namespace

base::Result<std::string, Refusal> read_elf_note(Bytes file) {
  const auto magic = span(file, 0, SELFMAG);
  if (!magic || std::memcmp(magic->data(), ELFMAG, SELFMAG) != 0) {
    return refused("it is not an ELF file",
                   "a plugin is a shared library; see actord_add_plugin()");
  }
  const auto header = copy_of<ElfW(Ehdr)>(file, 0);
  if (!header) return truncated();
  if (auto wrong = wrong_kind(*header)) return std::move(*wrong);
  const auto segments = program_headers(file, *header);
  if (!segments) return segments.error();
  if (wants_executable_stack(*segments)) {
    return refused(
        "it needs an executable stack, which would make every stack of the daemon executable",
        "link it with -Wl,-z,noexecstack");
  }
  if (auto wrong = shared_libcxx(file)) return std::move(*wrong);
  for (const ElfW(Phdr) & segment : *segments) {
    if (segment.p_type != PT_NOTE) continue;
    if (auto text = note_in(*span(file, segment.p_offset, segment.p_filesz), segment.p_align)) {
      return std::move(*text);
    }
  }
  return refused(
      "it has no note of an actord plugin",
      "end one of its sources with ACTORD_PLUGIN(…), and link without --strip-all of notes");
}

}  // namespace actord::loader
