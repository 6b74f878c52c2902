// SPDX-License-Identifier: Apache-2.0
//
// From a plugin's name to its table: search, note, dynamic linker, entry.
//
// Not here: what becomes of the table (system/behaviour_registry.hpp), and which plugins are wanted
// (settings/).
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
  const actord_plugin* table = nullptr;  // good until the process ends
  PluginNote note;
  std::string file;
};

/// What comes before a file is loaded: it is tried in a process of its own, or not, which a start
/// has no time for.
enum class PreloadCheck : bool { none, first };

/// One thread at a time.
class PluginLoader {
 public:
  /// The folders are searched in their order; the first that has `<name>.so` decides.
  explicit PluginLoader(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  /// Runs nothing of the file before its note was found to fit. What was mapped stays mapped.
  base::Result<LoadedPlugin, Refusal> load(std::string_view name,
                                           PreloadCheck check = PreloadCheck::none) const;

  const std::vector<std::string>& folders() const noexcept { return folders_; }

 private:
  base::Result<std::string, Refusal> find(std::string_view name) const;

  const std::vector<std::string> folders_;
};

/// Where to look when nobody says: `plugins` beside the folder of the executable, as a build and an
/// unpacked tree have it, else the system's.
std::vector<std::string> default_plugin_folders();

}  // namespace actord::loader
