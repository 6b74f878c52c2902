// SPDX-License-Identifier: Apache-2.0
#include "pattern/configured_backoff.hpp"
#include "pattern/configured_router.hpp"

namespace actord::pattern {

const actord_plugin& plugin() {
  return *plugin_table<Behaviours<ConfiguredBackoff, ConfiguredRouter>>("actord", "1");
}

}  // namespace actord::pattern
