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
  runtime.look_at_plugins(configuration.settings);
  settle_secrets(configuration, runtime.actors().behaviours());
}

}  // namespace actord::app
