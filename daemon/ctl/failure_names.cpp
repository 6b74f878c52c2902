// SPDX-License-Identifier: Apache-2.0
#include "ctl/failure_names.hpp"

#include "base/clock.hpp"
#include "config/runtime.hpp"
#include "settings/known_failures.hpp"

namespace actord::ctl {

std::vector<std::string> failure_names(const config::Configuration& configuration) {
  log::Hub hub(&base::monotonic_ns);  // no sink reads from this hub
  config::Runtime runtime(configuration, hub, 1);
  static_cast<void>(runtime.load_plugins(configuration.settings));
  const settings::KnownFailures known(runtime.actors().behaviours().declared_failures());
  const std::vector<std::string_view> names = known.names();
  return {names.begin(), names.end()};
}

}  // namespace actord::ctl
