// SPDX-License-Identifier: Apache-2.0
#include "loader/elf_note.hpp"

#include <doctest/doctest.h>

#include "elf_image.hpp"

TEST_SUITE_BEGIN("loader/elf_note");

namespace {

using actord::loader::ElfImage;
using actord::loader::read_elf_note;

constexpr const char* text = "name=echo;version=1.0.0;abi=1.0;san=none";

std::string refusal_of(ElfImage& image) {
  const auto answer = read_elf_note(image.bytes());
  return answer.ok() ? "none" : answer.error().what;
}

bool says(const std::string& sentence, const char* words) {
  return sentence.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("the note is found behind other notes") {
  ElfImage image;
  const auto answer = read_elf_note(image.bytes());
  REQUIRE(answer.ok());
  CHECK(*answer == text);
}

TEST_CASE("notes that are padded to eight bytes are read as such") {
  ElfImage image;
  image.notes.clear();
  image.note.p_align = 8;
  // 12 bytes stand before the owner, so that the text of a padded note begins at a multiple of 8.
  image.add_note("GNU", 5, "0123456", 8);
  image.add_note("actord", 1, text, 8);
  const auto answer = read_elf_note(image.bytes());
  REQUIRE(answer.ok());
  CHECK(*answer == text);
}

TEST_CASE("what is no ELF file is refused as such") {
  for (const std::string_view file : {"", "\x7f",
                                      "\x7f"
                                      "ELF",
                                      "This is a text file.\n"}) {
    CAPTURE(file);
    const auto* const first = reinterpret_cast<const std::byte*>(file.data());
    const auto answer = read_elf_note({first, file.size()});
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.error().what != "");
  }
}

TEST_CASE("a library for another machine is refused") {
  ElfImage other_machine, other_class, other_order;
  other_machine.header.e_machine = EM_S390;
  other_class.header.e_ident[EI_CLASS] = ELFCLASSNONE;
  other_order.header.e_ident[EI_DATA] = ELFDATA2MSB;
  for (ElfImage* image : {&other_machine, &other_class, &other_order}) {
    CHECK(says(refusal_of(*image), "another kind of machine"));
  }
}

TEST_CASE("a program or an object file is refused") {
  for (const int type : {ET_EXEC, ET_REL, ET_CORE, ET_NONE}) {
    ElfImage image;
    image.header.e_type = static_cast<ElfW(Half)>(type);
    CHECK(says(refusal_of(image), "not a shared library"));
  }
}

TEST_CASE("a library that wants an executable stack is refused, and so is one that does not say") {
  ElfImage wants, silent;
  wants.stack.p_flags |= PF_X;
  silent.stack.p_type = PT_NULL;
  CHECK(says(refusal_of(wants), "executable stack"));
  CHECK(says(refusal_of(silent), "executable stack"));
}

TEST_CASE("a library without our note is refused") {
  ElfImage other_owner, other_type, none;
  other_owner.notes.clear();
  other_owner.add_note("actorx", 1, text);
  other_type.notes.clear();
  other_type.add_note("actord", 2, text);
  none.note.p_type = PT_NULL;
  for (ElfImage* image : {&other_owner, &other_type, &none}) {
    CHECK(says(refusal_of(*image), "no note"));
  }
}

TEST_CASE("sizes and offsets that lie are refused") {
  const auto check = [](const char* what, auto&& spoil) {
    CAPTURE(what);
    ElfImage image;
    spoil(image);
    CHECK(refusal_of(image) != "none");
  };
  check("table at the end of numbers", [](ElfImage& i) { i.header.e_phoff = UINT64_MAX - 8; });
  check("table behind the file", [](ElfImage& i) { i.header.e_phoff = 1 << 20; });
  check("too many headers", [](ElfImage& i) { i.header.e_phnum = 0xfffe; });
  check("count elsewhere", [](ElfImage& i) { i.header.e_phnum = PN_XNUM; });
  check("headers of no size", [](ElfImage& i) { i.header.e_phentsize = 0; });
  check("load behind the file", [](ElfImage& i) { i.load.p_filesz = 1 << 20; });
  check("load that wraps", [](ElfImage& i) {
    i.load.p_offset = UINT64_MAX;
    i.load.p_filesz = 2;
  });
  check("owner longer than its segment",
        [](ElfImage& i) { i.notes[0] = '\x7f', i.notes[3] = '\x7f'; });
  check("text of four gigabytes", [](ElfImage& i) {
    for (int at = 4; at < 8; ++at) i.notes[static_cast<std::size_t>(at)] = '\xff';
  });
  check("text beyond the limit", [](ElfImage& i) {
    i.notes.clear();
    i.add_note("actord", 1, std::string(5000, 'x'));
  });
}

TEST_CASE("a table of names that lies is read as one without names") {
  ElfImage image;
  image.libraries = {"libc++.so.1"};
  image.load.p_vaddr = 1 << 20;  // so that nothing is loaded where the table is said to be
  CHECK(read_elf_note(image.bytes()).ok());
}

TEST_CASE("a libc++ that is loaded with the plugin is refused, and one that is part of it is not") {
  for (const char* const library : {"libc++.so.1", "libc++abi.so.1"}) {
    ElfImage image;
    image.libraries = {"libm.so.6", library, "libc.so.6"};
    const auto answer = read_elf_note(image.bytes());
    REQUIRE_FALSE(answer.ok());
    CHECK(says(answer.error().what, library));
    CHECK(says(answer.error().help, "-static-libstdc++"));
  }
  ElfImage image("name=echo;version=1.0.0;abi=1.0;stdlib=libc++-14;san=none");
  image.libraries = {"libm.so.6", "libc.so.6"};
  CHECK(read_elf_note(image.bytes()).ok());
}

TEST_CASE("a file cut off anywhere is refused or read, never overrun") {
  ElfImage image;
  const std::vector<std::byte> whole = image.bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // A copy of exactly that size, so that a sanitizer sees a read beyond its end.
    const std::vector<std::byte> part(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_FALSE(read_elf_note(part).ok());
  }
}

TEST_CASE("a file with any one byte changed is refused or read, never overrun") {
  ElfImage image;
  std::vector<std::byte> bytes = image.bytes();
  unsigned answers = 0;
  for (std::byte& byte : bytes) {
    const std::byte kept = byte;
    for (const int spoilt : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      byte = static_cast<std::byte>(spoilt);
      const auto answer = read_elf_note(bytes);
      answers += answer.ok() || !answer.error().what.empty() ? 1 : 0;
    }
    byte = kept;
  }
  CHECK(answers == bytes.size() * 5);
}
