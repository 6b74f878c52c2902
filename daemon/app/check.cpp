// SPDX-License-Identifier: Apache-2.0
#include "app/check.hpp"

#include "app/runtime.hpp"
#include "base/clock.hpp"

namespace actord::app {

std::optional<BootError> check(const Configuration& configuration) {
  log::Hub hub(&base::monotonic_ns);  // nobody reads it
  Runtime runtime(configuration, hub, 1);
  if (auto loaded = runtime.load_plugins(Runtime::Use::look_only); !loaded) return loaded.error();
  if (auto bound = runtime.bind(); !bound) return bound.error();
  return std::nullopt;
}

}  // namespace actord::app
