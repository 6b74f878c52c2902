// SPDX-License-Identifier: Apache-2.0
#include "app/check.hpp"

#include "app/runtime.hpp"
#include "base/clock.hpp"

namespace actord::app {

base::Result<hocon::Diagnostics, BootError> check(const Configuration& configuration, Reach reach) {
  hocon::Diagnostics warnings = warnings_of(configuration);
  if (reach == Reach::text) return warnings;  // reading it has checked all of that
  log::Hub hub(&base::monotonic_ns);          // nobody reads it
  Runtime runtime(configuration, hub, 1);
  const auto drawn = runtime.draw(configuration, Runtime::Use::look_only);
  if (!drawn) return drawn.error();
  warnings.insert(warnings.end(), drawn->warnings.begin(), drawn->warnings.end());
  return warnings;
}

}  // namespace actord::app
