// SPDX-License-Identifier: Apache-2.0
#include "link/code_place.hpp"

#include <link.h>

#include <algorithm>
#include <span>

namespace actord::link {

namespace {

struct Search {
  std::uintptr_t code;
  std::uintptr_t base = 0;  // the address at which the file is loaded that the code belongs to
};

int look_into(dl_phdr_info* file, std::size_t, void* search_) {
  auto& search = *static_cast<Search*>(search_);
  const std::span parts{file->dlpi_phdr, file->dlpi_phnum};
  const bool is_here = std::ranges::any_of(parts, [&](const ElfW(Phdr) & part) {
    return part.p_type == PT_LOAD && search.code - (file->dlpi_addr + part.p_vaddr) < part.p_memsz;
  });
  // The file of the program itself may be loaded at 0.
  if (is_here) search.base = file->dlpi_addr;
  return is_here ? 1 : 0;
}

std::optional<std::uintptr_t> base_of(std::uintptr_t code) {
  Search search{code};
  if (::dl_iterate_phdr(&look_into, &search) == 0) return std::nullopt;
  return search.base;
}

// The tables of a plugin may lie anywhere, but the functions that it creates instances with are its
// own.
std::optional<std::uintptr_t> base_of(const actord_plugin& plugin) {
  const std::span behaviours{plugin.behaviours, plugin.n_behaviours};
  const auto found = std::ranges::find_if(
      behaviours, [](const actord_behaviour* each) { return each->create != nullptr; });
  if (found == behaviours.end()) return std::nullopt;
  return base_of(reinterpret_cast<std::uintptr_t>((*found)->create));
}

}  // namespace

std::optional<std::uint64_t> place_of(const void* function, const actord_plugin& plugin) {
  const auto base = base_of(plugin);
  const auto code = reinterpret_cast<std::uintptr_t>(function);
  if (!base || base_of(code) != base) return std::nullopt;
  return code - *base;
}

void* function_at(std::uint64_t place, const actord_plugin& plugin) {
  const auto base = base_of(plugin);
  if (!base || base_of(*base + place) != base) return nullptr;
  return reinterpret_cast<void*>(*base + place);
}

}  // namespace actord::link
