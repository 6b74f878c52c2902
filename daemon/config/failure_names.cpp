// SPDX-License-Identifier: Apache-2.0
#include "config/failure_names.hpp"

#include "settings/known_failures.hpp"

namespace actord::config {

std::vector<std::string> failure_names(const system::BehaviourRegistry& registry) {
  const settings::KnownFailures known(registry.declared_failures());
  const std::vector<std::string_view> names = known.names();
  return {names.begin(), names.end()};
}

}  // namespace actord::config
