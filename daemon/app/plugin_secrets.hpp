// SPDX-License-Identifier: Apache-2.0
//
// The secrets of a configuration that only its plugins know of: fetched and kept from sight, as
// those that actord knows are when it reads the files.
#pragma once

#include <optional>

#include "app/boot_error.hpp"
#include "app/configuration.hpp"
#include "system/behaviour_registry.hpp"

namespace actord::app {

/// Settles what the behaviours of `registry` declare secret; of an actor whose behaviour is not
/// there the whole config is secret. What cannot be fetched is the answer. Before anybody else
/// reads the configuration's tree.
std::optional<BootError> settle_secrets(const Configuration& configuration,
                                        const system::BehaviourRegistry& registry);

/// The same for who only looks at a configuration: loads its plugins as far as they can be.
void settle_secrets(const Configuration& configuration);

/// Those that could not be fetched: they are still objects that say where the text is kept.
std::vector<hocon::Value> unfetched_secrets(const Configuration& configuration,
                                            const system::BehaviourRegistry& registry);

}  // namespace actord::app
