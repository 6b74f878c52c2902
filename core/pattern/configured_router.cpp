// SPDX-License-Identifier: Apache-2.0
#include "pattern/configured_router.hpp"

namespace actord::pattern {

Ref ConfiguredRouter::spawn_routee(Context& ctx, std::string_view called) {
  detail::HostErrors errors;
  const actord_ref routee =
      detail::since_1_10(*ctx.c().host).spawn_like(&ctx.c(), 0, detail::to_c(called), &errors);
  if (routee == 0) errors.raise("spawn_like");
  return {routee};
}

Construction construction_of(RouterOptions options) {
  using Args = std::tuple<RouterOptions>;
  return {&detail::create_from<ConfiguredRouter, RouterOptions>,
          std::make_shared<const Args>(std::move(options))};
}

}  // namespace actord::pattern
