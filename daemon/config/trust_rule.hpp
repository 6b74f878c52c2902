// SPDX-License-Identifier: Apache-2.0
//
// Which plugins a configuration lets actord load: the rule of actord.plugins.trust.
#pragma once

#include "config/configuration.hpp"
#include "loader/plugin_trust.hpp"

namespace actord::config {

/// With `auto` the rule is strict if systemd has started this process, and for a check if the
/// installed unit starts this configuration: the check then refuses what the service would refuse.
loader::Trust plugin_trust(const Configuration& configuration);

}  // namespace actord::config
