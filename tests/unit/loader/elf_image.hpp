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

/// Header, four program headers (PT_LOAD, PT_NOTE, PT_GNU_STACK, PT_DYNAMIC), the notes, then the
/// dynamic section and the names in it.
struct ElfImage {
  ElfW(Ehdr) header{};
  ElfW(Phdr) load{}, note{}, stack{}, dynamic{};
  std::string notes;
  std::vector<std::string> libraries = {"libc.so.6"};  // that the linker loads with it

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
    header.e_phnum = 4;
    load.p_type = PT_LOAD;
    note.p_type = PT_NOTE;
    note.p_align = 4;
    stack.p_type = PT_GNU_STACK;
    stack.p_flags = PF_R | PF_W;
    dynamic.p_type = PT_DYNAMIC;
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
    note.p_offset = sizeof header + 4 * sizeof load;
    note.p_filesz = notes.size();
    std::string names;
    std::vector<ElfW(Dyn)> entries;
    for (const std::string& library : libraries) {
      entries.push_back(entry(DT_NEEDED, names.size()));
      names += library + '\0';
    }
    dynamic.p_offset = note.p_offset + notes.size();
    dynamic.p_filesz = (entries.size() + 2) * sizeof entries[0];
    entries.push_back(entry(DT_STRTAB, dynamic.p_offset + dynamic.p_filesz));
    entries.push_back(entry(DT_NULL, 0));
    if (load.p_filesz == 0) load.p_filesz = dynamic.p_offset + dynamic.p_filesz + names.size();

    std::string all;
    all.append(reinterpret_cast<const char*>(&header), sizeof header);
    for (const ElfW(Phdr) * part : {&load, &note, &stack, &dynamic}) {
      all.append(reinterpret_cast<const char*>(part), sizeof *part);
    }
    all += notes;
    all.append(reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof entries[0]);
    all += names;
    const auto* const first = reinterpret_cast<const std::byte*>(all.data());
    return {first, first + all.size()};
  }

 private:
  static ElfW(Dyn) entry(std::int64_t tag, std::uint64_t value) {
    ElfW(Dyn) made{};
    made.d_tag = tag;
    made.d_un.d_val = value;
    return made;
  }
};

}  // namespace actord::loader
