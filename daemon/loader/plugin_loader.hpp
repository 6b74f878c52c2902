// SPDX-License-Identifier: Apache-2.0
//
// Loads a plugin by its name: finds the file, checks who can change it and what its note says,
// calls the dynamic linker and the entry function.
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
#include "loader/plugin_trust.hpp"
#include "loader/refusal.hpp"

namespace actord::loader {

struct LoadedPlugin {
  const actord_plugin* table = nullptr;  // valid until the process ends
  PluginNote note;
  std::string file;  // without symbolic links
};

/// Whether a file is first loaded in a process of its own (preload_check.hpp). `no` is for a start,
/// which has no time for it.
enum class PreloadCheck : bool { no, yes };

/// Used by one thread at a time.
class PluginLoader {
 public:
  /// `folders` are searched in order; the first one that contains `<name>.so` is used.
  PluginLoader(std::vector<std::string> folders, Trust trust)
      : folders_(std::move(folders)), trust_(std::move(trust)) {}

  /// Runs no code of the file before its path and its note were checked. A mapped file stays
  /// mapped, even after an error.
  base::Result<LoadedPlugin, Refusal> load(std::string_view name,
                                           PreloadCheck check = PreloadCheck::no) const;

  const std::vector<std::string>& folders() const noexcept { return folders_; }

 private:
  /// The path of the plugin's file, which has passed the check of plugin_trust.hpp.
  base::Result<std::string, Refusal> find_trusted(std::string_view name) const;
  base::Result<std::string, Refusal> find(std::string_view name) const;

  const std::vector<std::string> folders_;
  const Trust trust_;
};

/// The default plugin directory: `plugins` beside the executable's directory if it exists, as in a
/// build tree, otherwise the system's.
std::vector<std::string> default_plugin_folders();

}  // namespace actord::loader
