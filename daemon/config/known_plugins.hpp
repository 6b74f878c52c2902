// SPDX-License-Identifier: Apache-2.0
//
// The plugins of a configuration, for those who only ask what they declare.
#pragma once

#include <memory>
#include <string>

#include "config/configuration.hpp"
#include "system/behaviour_registry.hpp"

namespace actord::config {

/// Gives the behaviours of a configuration's plugins when they are first asked for.
class KnownPlugins {
 public:
  /// The plugins that are in `registry`, which outlives this object: those of a running daemon.
  explicit KnownPlugins(const system::BehaviourRegistry& registry);
  /// The plugins of `configuration`, which outlives this object. They are loaded when they are
  /// needed, and not attached.
  explicit KnownPlugins(const Configuration& configuration);
  ~KnownPlugins();
  KnownPlugins(const KnownPlugins&) = delete;
  KnownPlugins& operator=(const KnownPlugins&) = delete;

  const system::BehaviourRegistry& behaviours();
  /// Why a plugin is missing: the first reason. Empty if all were loaded.
  const std::string& failure();

 private:
  class Loaded;
  void load();

  const system::BehaviourRegistry* registry_ = nullptr;
  const Configuration* configuration_ = nullptr;
  std::unique_ptr<Loaded> loaded_;
  std::string failure_;
};

}  // namespace actord::config
