// SPDX-License-Identifier: Apache-2.0
//
// "actord/Router": the router of a configured actor. Like all code in this room it uses only the
// plugin interface.
//
// Not here: the behaviour of a router (actord/router.hpp), and its keys in the configuration
// (daemon/settings).
#pragma once

#include <actord/actord.hpp>
#include <actord/router.hpp>

#include "pattern/construction.hpp"

namespace actord::pattern {

/// A router whose routees are the configured children of its node, which the runtime starts and
/// which a reload adds or takes away; or a group.
class ConfiguredRouter final : public RouterActor {
 public:
  static constexpr std::string_view name = "Router";
  static constexpr std::string_view doc = "Sends each message to one of its routees.";

  explicit ConfiguredRouter(const RouterOptions& options) : RouterActor(options) {}
  static Strategy supervision() { return one_for_one().otherwise(Directive::escalate); }

 protected:
  Ref spawn_routee(Context& ctx, std::string_view called) override;
  // No configured routee has such a name.
  std::string name_of(std::int64_t number) const override {
    return "extra-" + std::to_string(number);
  }
  std::int64_t first_size() const override { return 0; }
};

/// Constructs a ConfiguredRouter with these options.
Construction construction_of(RouterOptions options);

}  // namespace actord::pattern
