// SPDX-License-Identifier: Apache-2.0
//
// Isolation: where the instances of actors live, and the host processes for those that live apart.
#pragma once

#include "settings/object_reader.hpp"
#include "settings/settings.hpp"

namespace actord::settings {

/// Reads `isolation` and `worker { group }` of a node or a deployment pattern.
void read_isolation(ObjectReader& block, actor::ActorOptions& options);
/// Reads actord.plugins.isolation.
actor::IsolationByPlugin read_plugin_isolation(ObjectReader block);
/// Reads actord.worker.
WorkerSettings read_worker(ObjectReader block);

}  // namespace actord::settings
