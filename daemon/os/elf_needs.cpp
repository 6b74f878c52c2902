// SPDX-License-Identifier: Apache-2.0
#include "os/elf_needs.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "os/files.hpp"

namespace actord::os {

namespace {

using Bytes = std::span<const std::byte>;

template <class T>
std::optional<T> read_at(Bytes file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::vector<ElfW(Phdr)> segments_of(Bytes file) {
  const auto header = read_at<ElfW(Ehdr)>(file, 0);
  std::vector<ElfW(Phdr)> segments;
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return segments;
  for (std::size_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = read_at<ElfW(Phdr)>(file, header->e_phoff + i * sizeof(ElfW(Phdr)));
    if (!segment) return {};
    segments.push_back(*segment);
  }
  return segments;
}

/// The text at an offset of a table of strings.
std::string text_at(Bytes file, std::uint64_t offset) {
  if (offset >= file.size()) return {};
  const auto* const begin = reinterpret_cast<const char*>(file.data() + offset);
  return {begin, ::strnlen(begin, file.size() - offset)};
}

std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(':'));
    if (!part.empty()) parts.emplace_back(part);
    list.remove_prefix(std::min(list.size(), part.size() + 1));
  }
  return parts;
}

/// `folder` with the folder `origin` in the place of $ORIGIN; empty: it does not have that word.
std::string below_origin(const std::string& folder, const std::string& origin) {
  for (const std::string_view word : {"$ORIGIN", "${ORIGIN}"}) {
    if (folder.starts_with(word)) return origin + folder.substr(word.size());
  }
  return {};
}

}  // namespace

ElfNeeds elf_needs(Bytes file) {
  const std::vector<ElfW(Phdr)> segments = segments_of(file);
  const auto offset_of = [&](std::uint64_t address) -> std::uint64_t {
    for (const ElfW(Phdr) & each : segments) {
      if (each.p_type == PT_LOAD && address >= each.p_vaddr &&
          address - each.p_vaddr < each.p_filesz)
        return each.p_offset + (address - each.p_vaddr);
    }
    return file.size();
  };
  const auto dynamic = std::ranges::find(segments, ElfW(Word){PT_DYNAMIC}, &ElfW(Phdr)::p_type);
  if (dynamic == segments.end()) return {};
  std::vector<std::uint64_t> needed;
  std::optional<std::uint64_t> texts, run_path, r_path;
  for (std::uint64_t at = 0; at < dynamic->p_filesz; at += sizeof(ElfW(Dyn))) {
    const auto entry = read_at<ElfW(Dyn)>(file, dynamic->p_offset + at);
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) needed.push_back(entry->d_un.d_val);
    else if (entry->d_tag == DT_STRTAB) texts = offset_of(entry->d_un.d_ptr);
    else if (entry->d_tag == DT_RUNPATH) run_path = entry->d_un.d_val;
    else if (entry->d_tag == DT_RPATH) r_path = entry->d_un.d_val;
  }
  ElfNeeds needs;
  if (!texts) return needs;
  for (const std::uint64_t each : needed) needs.libraries.push_back(text_at(file, *texts + each));
  if (const auto path = run_path ? run_path : r_path)
    needs.folders = parts_of(text_at(file, *texts + *path));
  return needs;
}

std::vector<std::string> libraries_beside(const ElfNeeds& needs, const std::string& origin) {
  std::vector<std::string> found;
  for (const std::string& library : needs.libraries) {
    if (library.find('/') != library.npos) continue;
    for (const std::string& each : needs.folders) {
      const std::string folder = below_origin(each, origin);
      if (folder.empty() || !exists(folder + '/' + library)) continue;
      found.push_back(folder + '/' + library);
      break;
    }
  }
  return found;
}

}  // namespace actord::os
