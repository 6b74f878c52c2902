// SPDX-License-Identifier: Apache-2.0
//
// Keys inside the config of a behaviour, as its plugin declares them.
#pragma once

#include <string>
#include <vector>

#include "config/explanation.hpp"
#include "schema/schema.hpp"

namespace actord::config {

/// Whether the path goes on inside an object whose members actord does not define.
bool lies_in_behaviour_config(const schema::SettingKey& setting,
                              const std::vector<std::string>& path);

/// Adds what the actor's plugin declares about the key to `out`: type, range, default, a sentence.
/// Returns an error if it declares no such key. If the plugin is not known, `out.remark` says so.
base::Result<void, UnknownKey> explain_behaviour_config(const Configuration& configuration,
                                                        const std::vector<std::string>& path,
                                                        KnownPlugins& plugins, Explanation& out);

/// The keys that the behaviour of the actor declares, as an operator writes them. `path` is that of
/// its config; empty if the behaviour is not known.
std::vector<std::string> behaviour_keys(const Configuration& configuration,
                                        const std::vector<std::string>& path,
                                        KnownPlugins& plugins);

}  // namespace actord::config
