// SPDX-License-Identifier: Apache-2.0
//
// validate() has nowhere to report what it finds.
// expects: validate is: static void validate(const Config&, actord::Findings&)
#include <actord/actord.hpp>

namespace shop {

struct Config {
  int first = 0;
};
ACTORD_FIELDS(Config, first)

class Shop : public actord::Actor {
 public:
  using Config = shop::Config;
  explicit Shop(const Config&) {}
  static bool validate(const Config& config) { return config.first >= 0; }
  using Receive = actord::Handlers<>;
};

}  // namespace shop

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<shop::Shop>)
