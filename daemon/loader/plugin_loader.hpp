// SPDX-License-Identifier: Apache-2.0
//
// Loads a plugin by its name: finds the file, checks who can change it, copies it, checks what the
// note of the copy says, calls the dynamic linker and the entry function.
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
#include "loader/plugin_image.hpp"
#include "loader/plugin_note.hpp"
#include "loader/plugin_scan.hpp"
#include "loader/plugin_trust.hpp"
#include "loader/refusal.hpp"

namespace actord::loader {

/// A plugin of which everything was checked that can be without its code in this process.
struct ExaminedPlugin {
  PluginNote note;
  PluginImagePtr image;
  PluginScan scan;  // empty if it was not tried
};

struct LoadedPlugin {
  // Valid until the process ends; with LoadMode::look, as long as the scan's description.
  const actord_plugin* table = nullptr;
  PluginNote note;
  PluginImagePtr image;
  PluginScan scan;  // empty after a start
};

/// start: into this process at once, since a start has no time for more. reload: into this process
/// after a scan (plugin_scan.hpp). look: the scan only, so that no code of the plugin runs in this
/// process, and its behaviours cannot be created.
enum class LoadMode : std::uint8_t { start, reload, look };

/// Used by one thread at a time, except for examine() and what only finds.
class PluginLoader {
 public:
  /// `folders` are searched in order; the first one that contains `<name>.so` is used.
  PluginLoader(std::vector<std::string> folders, Trust trust)
      : folders_(std::move(folders)), trust_(std::move(trust)) {}

  /// Why a file is not to be loaded; empty: it may be.
  using WhyWithheld = std::function<std::string(const std::string& file)>;
  /// From now on files are loaded only if that has no reason against it.
  void ask_before_loading(WhyWithheld why_withheld) { why_withheld_ = std::move(why_withheld); }

  /// Runs no code of the file before its path and its note were checked. What is mapped stays
  /// mapped, even after an error.
  base::Result<LoadedPlugin, Refusal> load(std::string_view name, LoadMode mode);

  // ---- the parts of it ----
  /// Runs no code of the plugin. Any thread.
  base::Result<ExaminedPlugin, Refusal> examine(std::string_view name) const;
  /// The same for a file, whatever folder it lies in. Its name is that of the plugin, and `.so`.
  base::Result<ExaminedPlugin, Refusal> examine_file(const std::string& file) const;
  /// Sets the scan of the plugin, which takes a process of its own; `cancelled`: see scan_plugin().
  /// Any thread.
  static base::Result<void, Refusal> try_out(ExaminedPlugin& plugin, int cancelled = -1);
  /// What was learnt of a plugin that was tried out, without its code in this process.
  static LoadedPlugin described(ExaminedPlugin plugin);
  /// Loads it into this process. The same build is loaded once, however often it is asked for.
  base::Result<LoadedPlugin, Refusal> open(ExaminedPlugin plugin);

  const std::vector<std::string>& folders() const noexcept { return folders_; }
  /// The plugin's file, in the first folder that has one. Any thread.
  base::Result<std::string, Refusal> find(std::string_view name) const;

 private:
  base::Result<ExaminedPlugin, Refusal> examine(const std::string& file,
                                                std::string_view name) const;

  const std::vector<std::string> folders_;
  const Trust trust_;
  WhyWithheld why_withheld_;
};

/// "echo" for "/usr/lib/actord/plugins/echo.so"; empty: it is no name for the file of a plugin, but
/// perhaps that of a file which is being written, such as ".echo.so.Xa3b" or "echo.so.dpkg-new".
std::string plugin_name_of(std::string_view file);

/// The default plugin directory: `plugins` beside the executable's directory if it exists, as in a
/// build tree, otherwise the system's.
std::vector<std::string> default_plugin_folders();

}  // namespace actord::loader
