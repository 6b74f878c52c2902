// SPDX-License-Identifier: Apache-2.0
#include "config/plugin_secrets.hpp"

#include "base/clock.hpp"
#include "config/runtime.hpp"
#include "settings/secret_values.hpp"

namespace actord::config {

hocon::SecretFindings fetch_plugin_secrets(const Configuration& configuration,
                                           const system::BehaviourRegistry& registry) {
  hocon::Tree tree = configuration.settings.tree;
  const settings::SecretValues values = settings::secret_values(configuration.settings, registry);
  // before anything else, so that no finding shows a line with such a value
  tree.make_secret(values.suspected);
  return tree.fetch_secrets(
      values.declared, layers::secret_store(hocon::process_environment(), configuration.secrets));
}

void fetch_plugin_secrets(const Configuration& configuration) {
  log::Hub hub(&base::monotonic_ns);  // no sink reads from this hub
  Runtime runtime(configuration, hub, 1);
  static_cast<void>(runtime.load_plugins(configuration.settings, loader::LoadMode::look));
  // A secret that cannot be fetched is no error if the configuration is only shown.
  static_cast<void>(fetch_plugin_secrets(configuration, runtime.actors().behaviours()));
}

std::vector<std::string> secret_texts(const Configuration& configuration) {
  std::vector<std::string> texts;
  for (const hocon::Value& secret : settings::secrets_in(configuration.settings.tree))
    texts.emplace_back(secret.text());
  return texts;
}

}  // namespace actord::config
