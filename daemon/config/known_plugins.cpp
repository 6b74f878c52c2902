// SPDX-License-Identifier: Apache-2.0
#include "config/known_plugins.hpp"

#include "base/clock.hpp"
#include "config/runtime.hpp"

namespace actord::config {

/// A system that is never started, only for its registry.
class KnownPlugins::Loaded {
 public:
  explicit Loaded(const Configuration& configuration)
      : hub(&base::monotonic_ns), runtime(configuration, hub, 1) {}

  log::Hub hub;  // no sink reads from it
  Runtime runtime;
};

KnownPlugins::KnownPlugins(const system::BehaviourRegistry& registry) : registry_(&registry) {}
KnownPlugins::KnownPlugins(const Configuration& configuration) : configuration_(&configuration) {}
KnownPlugins::~KnownPlugins() = default;

const system::BehaviourRegistry& KnownPlugins::behaviours() {
  load();
  return *registry_;
}

const std::string& KnownPlugins::failure() {
  load();
  return failure_;
}

void KnownPlugins::load() {
  if (registry_ != nullptr) return;
  loaded_ = std::make_unique<Loaded>(*configuration_);
  const auto failures =
      loaded_->runtime.load_plugins(configuration_->settings, loader::LoadMode::look);
  if (!failures.empty()) failure_ = failures.front().error.reason;
  registry_ = &loaded_->runtime.actors().behaviours();
}

}  // namespace actord::config
