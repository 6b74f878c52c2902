// SPDX-License-Identifier: Apache-2.0
//
// Keys inside the config of a behaviour, as its plugin declares them.
#pragma once

#include <string>
#include <vector>

#include "ctl/explanation.hpp"
#include "schema/schema.hpp"

namespace actord::ctl {

/// Whether the path goes on inside an object whose members actord does not define.
bool lies_in_behaviour_config(const schema::SettingKey& setting,
                              const std::vector<std::string>& path);

/// Loads the plugin of the actor, without attaching it, and adds its declaration of the key to
/// `out`. Returns an error if it declares no such key. If the plugin cannot be loaded,
/// `out.remark` says so.
base::Result<void, UnknownKey> explain_behaviour_config(const config::Configuration& configuration,
                                                        const std::vector<std::string>& path,
                                                        Explanation& out);

}  // namespace actord::ctl
