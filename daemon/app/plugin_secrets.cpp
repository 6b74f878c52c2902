// SPDX-License-Identifier: Apache-2.0
#include "app/plugin_secrets.hpp"

#include "app/runtime.hpp"
#include "base/clock.hpp"
#include "settings/secret_values.hpp"

namespace actord::app {

hocon::SecretFindings settle_secrets(const Configuration& configuration,
                                     const system::BehaviourRegistry& registry) {
  hocon::Tree tree = configuration.settings.tree;
  const settings::SecretValues values = settings::secret_values(configuration.settings, registry);
  tree.make_secret(values.suspected);  // first, so that no finding shows a line of those
  return tree.settle_secrets(
      values.declared, layers::secret_store(hocon::process_environment(), configuration.secrets));
}

void settle_secrets(const Configuration& configuration) {
  log::Hub hub(&base::monotonic_ns);  // nobody reads it
  Runtime runtime(configuration, hub, 1);
  static_cast<void>(runtime.load_plugins(configuration.settings));
  // What cannot be had is no matter to who only looks.
  static_cast<void>(settle_secrets(configuration, runtime.actors().behaviours()));
}

}  // namespace actord::app
