// SPDX-License-Identifier: Apache-2.0
//
// Keys inside the config of a behaviour: what its plugin declares about them.
#pragma once

#include <string>
#include <vector>

#include "ctl/explanation.hpp"
#include "settings/schema.hpp"

namespace actord::ctl {

/// Whether a path goes on inside an object that is not actord's to know.
bool lies_in_behaviour_config(const settings::SettingKey& setting,
                              const std::vector<std::string>& path);

/// Loads the plugin of that actor, to look at it only, and tells what it declares. An error when it
/// declares other members; without a plugin that can be loaded the remark says so.
base::Result<void, UnknownKey> tell_of_behaviour_config(const app::Configuration& configuration,
                                                        const std::vector<std::string>& path,
                                                        Explanation& out);

}  // namespace actord::ctl
