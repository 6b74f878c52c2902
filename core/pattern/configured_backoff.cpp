// SPDX-License-Identifier: Apache-2.0
#include "pattern/configured_backoff.hpp"

namespace actord::pattern {

Construction construction_of(BackoffOptions options, std::string child) {
  using Args = std::tuple<BackoffOptions, std::string>;
  return {&detail::create_from<ConfiguredBackoff, BackoffOptions, std::string>,
          std::make_shared<const Args>(std::move(options), std::move(child))};
}

}  // namespace actord::pattern
