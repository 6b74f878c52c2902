// SPDX-License-Identifier: Apache-2.0
//
// Loads a plugin by its name: finds the file, checks its note, calls the dynamic linker and the
// entry function.
//
// Not here: registering the behaviours (system/behaviour_registry.hpp), and which plugins a
// configuration needs (settings/).
#pragma once

#include <actord/plugin.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "loader/plugin_note.hpp"
#include "loader/refusal.hpp"

namespace actord::loader {

struct LoadedPlugin {
  const actord_plugin* table = nullptr;  // valid until the process ends
  PluginNote note;
  std::string file;
};

/// Whether a file is first loaded in a process of its own (preload_check.hpp). `no` is for a start,
/// which has no time for it.
enum class PreloadCheck : bool { no, yes };

/// Used by one thread at a time.
class PluginLoader {
 public:
  /// `folders` are searched in order; the first one that contains `<name>.so` is used.
  explicit PluginLoader(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  /// Runs no code of the file before its note was checked. A mapped file stays mapped, even after
  /// an error.
  base::Result<LoadedPlugin, Refusal> load(std::string_view name,
                                           PreloadCheck check = PreloadCheck::no) const;

  const std::vector<std::string>& folders() const noexcept { return folders_; }

 private:
  base::Result<std::string, Refusal> find(std::string_view name) const;

  const std::vector<std::string> folders_;
};

/// The default plugin directory: `plugins` beside the executable's directory if it exists, as in a
/// build tree, otherwise the system's.
std::vector<std::string> default_plugin_folders();

}  // namespace actord::loader
