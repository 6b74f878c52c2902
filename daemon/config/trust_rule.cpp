// SPDX-License-Identifier: Apache-2.0
#include "config/trust_rule.hpp"

#include "config/service_unit.hpp"
#include "os/service_manager.hpp"

namespace actord::config {

loader::Trust plugin_trust(const Configuration& configuration) {
  using schema::PluginTrust;
  const options::Options& options = configuration.options;
  const bool is_check = options.task != options::Options::Task::run;
  const auto is_for_service = [&] {
    return os::is_started_by_systemd() || (is_check && unit_of(options.config_files));
  };
  switch (configuration.settings.plugin_trust) {
    case PluginTrust::strict: return {};
    case PluginTrust::developer: return loader::developer_trust();
    case PluginTrust::automatic: break;
  }
  return is_for_service() ? loader::Trust{} : loader::developer_trust();
}

}  // namespace actord::config
