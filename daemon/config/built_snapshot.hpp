// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "actor/config_snapshot.hpp"
#include "hocon/diagnostic.hpp"

namespace actord::config {

/// A configuration that can be carried out, and the warnings of building it.
struct BuiltSnapshot {
  /// An actor whose creation the snapshot in effect refuses, and which is tried again.
  struct Retry {
    std::string path, origin;
  };
  actor::ConfigSnapshotPtr snapshot;
  hocon::Diagnostics warnings;
  std::vector<Retry> retries = {};
};

}  // namespace actord::config
