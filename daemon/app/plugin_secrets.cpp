// SPDX-License-Identifier: Apache-2.0
#include "app/plugin_secrets.hpp"

#include "app/runtime.hpp"
#include "base/clock.hpp"
#include "settings/secret_values.hpp"

namespace actord::app {

std::optional<BootError> settle_secrets(const Configuration& configuration,
                                        const system::BehaviourRegistry& registry) {
  const settings::Settings& settings = configuration.settings;
  const hocon::Diagnostics missing = layers::settle_secrets(
      settings.tree, settings::secret_values(settings, registry),
      layers::secret_store(hocon::process_environment(), configuration.secrets));
  if (missing.empty()) return std::nullopt;
  return boot_error(ExitCode::config_wrong, missing);
}

void settle_secrets(const Configuration& configuration) {
  log::Hub hub(&base::monotonic_ns);  // nobody reads it
  Runtime runtime(configuration, hub, 1);
  static_cast<void>(runtime.load_plugins(configuration.settings));
  settle_secrets(configuration, runtime.actors().behaviours());
}

std::vector<hocon::Value> unfetched_secrets(const Configuration& configuration,
                                            const system::BehaviourRegistry& registry) {
  std::vector<hocon::Value> all = settings::secret_values(configuration.settings, registry);
  std::erase_if(all, [](const hocon::Value& each) {
    const auto source = each.secret_source();
    return source && !*source;  // it says nothing of a place, and is what it is
  });
  return all;
}

}  // namespace actord::app
