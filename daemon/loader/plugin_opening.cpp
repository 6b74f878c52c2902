// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_opening.hpp"

#include <vector>

#include "loader/plugin_table.hpp"
#include "os/dynamic_library.hpp"
#include "os/elf_needs.hpp"
#include "os/files.hpp"
#include "os/loaded_copies.hpp"

namespace actord::loader {

namespace {

/// A text of the dynamic linker, which names the copy, with the name of the file.
std::string about_file(std::string text, const std::string& copy, const std::string& file) {
  for (std::size_t at = 0; (at = text.find(copy, at)) != text.npos; at += file.size())
    text.replace(at, copy.size(), file);
  return text;
}

/// Loads the libraries that the plugin expects beside its file, where the dynamic linker would look
/// in vain: beside the copy. It takes those that are loaded by then for the ones that are needed.
base::Result<void> open_libraries_beside(const std::string& copy, const std::string& file) {
  std::vector<std::string> libraries;
  if (const auto map = os::map_file(copy, SIZE_MAX))
    libraries = os::libraries_beside(os::elf_needs(map->bytes()), file.substr(0, file.rfind('/')));
  for (const std::string& each : libraries) {
    if (const auto library = os::DynamicLibrary::open(each); !library) return library.error();
  }
  return {};
}

base::Result<const actord_plugin*, Refusal> open_copy(const std::string& copy,
                                                      const std::string& file) {
  const auto refused = [&](const base::Error& error) {
    return Refusal{Refusal::Kind::refused,
                   "it cannot be loaded: " + about_file(error.what, copy, file),
                   "install what it needs, or rebuild it",
                   {}};
  };
  if (const auto opened = open_libraries_beside(copy, file); !opened)
    return refused(opened.error());
  const auto library = os::DynamicLibrary::open(copy);
  if (!library) return refused(library.error());
  const auto entry = library->function<const actord_plugin*()>("actord_plugin_v1");
  if (entry == nullptr) {
    return Refusal{Refusal::Kind::refused,
                   "it does not export actord_plugin_v1",
                   "end one of its sources with ACTORD_PLUGIN(…)",
                   {}};
  }
  const actord_plugin* const table = entry();
  if (const std::string fault = table_fault(table); !fault.empty())
    return Refusal{Refusal::Kind::refused, fault, "rebuild it with this daemon's headers", {}};
  return table;
}

}  // namespace

base::Result<const actord_plugin*, Refusal> open_plugin(const PluginImage& plugin) {
  return open_plugin_copy(plugin.copy().path(), plugin.file());
}

base::Result<const actord_plugin*, Refusal> open_plugin_copy(const std::string& copy,
                                                             const std::string& file) {
  if (os::original_of(copy.c_str()) == nullptr) os::name_loaded_copy(copy, file);
  return open_copy(copy, file);
}

}  // namespace actord::loader
