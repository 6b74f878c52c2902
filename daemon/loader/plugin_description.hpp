// SPDX-License-Identifier: Apache-2.0
//
// What a plugin declares, as data: everything in its tables but the functions. A process that runs
// the plugin's code writes it, and another one reads it without running any.
#pragma once

#include <actord/plugin.h>

#include <memory>
#include <memory_resource>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace actord::loader {

/// The tables of a plugin that is not in this process. In place of its functions stand ones that
/// do nothing and fail, so that nothing may be created from them. Threads: as a plugin's tables.
class PluginDescription {
 public:
  /// `plugin` has passed table_fault(). Texts that are no UTF-8 are altered.
  static nlohmann::json written(const actord_plugin& plugin);
  /// Null: this is no description. The plugin may have written it itself, so
  /// table_fault() has to pass the tables before they are used.
  static std::shared_ptr<const PluginDescription> read(const nlohmann::json& json);

  const actord_plugin& table() const noexcept { return table_; }

 private:
  PluginDescription() = default;

  std::pmr::monotonic_buffer_resource memory_;  // of all texts and tables below
  actord_plugin table_{};
};

}  // namespace actord::loader
