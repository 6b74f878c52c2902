// SPDX-License-Identifier: Apache-2.0
//
// The secrets of a configuration that only its plugins know of: fetched and kept from sight, as
// those that actord knows are when it reads the files.
#pragma once

#include "app/configuration.hpp"
#include "hocon/kept_secrets.hpp"
#include "system/behaviour_registry.hpp"

namespace actord::app {

/// Settles what the behaviours of `registry` declare secret; of an actor whose behaviour is not
/// there the config is kept from sight, and nothing of it is fetched. What cannot be had is the
/// answer; what is odd is among the warnings of the configuration. Before anybody else reads its
/// tree.
hocon::SecretFindings settle_secrets(const Configuration& configuration,
                                     const system::BehaviourRegistry& registry);

/// The same for who only looks at a configuration: loads its plugins as far as they can be.
void settle_secrets(const Configuration& configuration);

}  // namespace actord::app
