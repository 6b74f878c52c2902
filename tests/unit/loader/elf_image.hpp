// SPDX-License-Identifier: Apache-2.0
//
// A shared library in memory, as small as the reader of notes accepts; tests damage it.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace actord::loader {

/// Header, three program headers (PT_LOAD, PT_NOTE, PT_GNU_STACK), then the notes.
struct ElfImage {
  ElfW(Ehdr) header{};
  ElfW(Phdr) load{}, note{}, stack{};
  std::string notes;

  explicit ElfImage(std::string_view text = "name=echo;version=1.0.0;abi=1.0;san=none") {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_DYN;
#if defined(__x86_64__)
    header.e_machine = EM_X86_64;
#elif defined(__aarch64__)
    header.e_machine = EM_AARCH64;
#elif defined(__riscv)
    header.e_machine = EM_RISCV;
#endif
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(ElfW(Phdr));
    header.e_phnum = 3;
    load.p_type = PT_LOAD;
    note.p_type = PT_NOTE;
    note.p_align = 4;
    stack.p_type = PT_GNU_STACK;
    stack.p_flags = PF_R | PF_W;
    add_note("GNU", 3, "0123456789abcdef0123");
    add_note("actord", 1, text);
  }

  /// Owner and text get their NUL and are padded to `padding` bytes.
  void add_note(std::string_view owner, std::uint32_t type, std::string_view text,
                std::size_t padding = 4) {
    ElfW(Nhdr) head{};
    head.n_namesz = static_cast<std::uint32_t>(owner.size() + 1);
    head.n_descsz = static_cast<std::uint32_t>(text.size() + 1);
    head.n_type = type;
    notes.append(reinterpret_cast<const char*>(&head), sizeof head);
    for (const std::string_view part : {owner, text}) {
      notes.append(part);
      notes.append(padding - part.size() % padding, '\0');
    }
  }

  std::vector<std::byte> bytes() {
    note.p_offset = sizeof header + 3 * sizeof load;
    note.p_filesz = notes.size();
    std::string all;
    all.append(reinterpret_cast<const char*>(&header), sizeof header);
    for (const ElfW(Phdr) * part : {&load, &note, &stack}) {
      all.append(reinterpret_cast<const char*>(part), sizeof *part);
    }
    all += notes;
    const auto* const first = reinterpret_cast<const std::byte*>(all.data());
    return {first, first + all.size()};
  }
};

}  // namespace actord::loader
