// SPDX-License-Identifier: Apache-2.0
//
// Loads a plugin by its name: finds the file, checks who can change it and what its note says,
// calls the dynamic linker and the entry function.
//
// Not here: registering the behaviours (system/behaviour_registry.hpp), and which plugins a
// configuration needs (settings/).
#pragma once

#include <actord/plugin.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "loader/plugin_note.hpp"
#include "loader/plugin_scan.hpp"
#include "loader/plugin_trust.hpp"
#include "loader/refusal.hpp"

namespace actord::loader {

struct LoadedPlugin {
  // Valid until the process ends; with LoadMode::look, as long as the scan's description.
  const actord_plugin* table = nullptr;
  PluginNote note;
  std::string file;  // without symbolic links
  PluginScan scan;   // empty after a start
};

/// start: into this process at once, since a start has no time for more. reload: into this process
/// after a scan (plugin_scan.hpp). look: the scan only, so that no code of the plugin runs in this
/// process, and its behaviours cannot be created.
enum class LoadMode : std::uint8_t { start, reload, look };

/// Used by one thread at a time.
class PluginLoader {
 public:
  /// `folders` are searched in order; the first one that contains `<name>.so` is used.
  PluginLoader(std::vector<std::string> folders, Trust trust)
      : folders_(std::move(folders)), trust_(std::move(trust)) {}

  /// Why a file is not to be loaded; empty: it may be.
  using WhyWithheld = std::function<std::string(const std::string& file)>;
  /// From now on files are loaded only if that has no reason against it.
  void ask_before_loading(WhyWithheld why_withheld) { why_withheld_ = std::move(why_withheld); }

  /// Runs no code of the file before its path and its note were checked. A mapped file stays
  /// mapped, even after an error.
  base::Result<LoadedPlugin, Refusal> load(std::string_view name, LoadMode mode) const;

  const std::vector<std::string>& folders() const noexcept { return folders_; }

 private:
  /// The path of the plugin's file, which has passed the check of plugin_trust.hpp.
  base::Result<std::string, Refusal> find_trusted(std::string_view name) const;
  base::Result<std::string, Refusal> find(std::string_view name) const;

  const std::vector<std::string> folders_;
  const Trust trust_;
  WhyWithheld why_withheld_;
};

/// The default plugin directory: `plugins` beside the executable's directory if it exists, as in a
/// build tree, otherwise the system's.
std::vector<std::string> default_plugin_folders();

}  // namespace actord::loader
