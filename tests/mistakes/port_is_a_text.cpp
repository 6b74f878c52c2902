// SPDX-License-Identifier: Apache-2.0
//
// A member that is declared a port, and is a text.
// expects: a port is an integer
#include <actord/actord.hpp>

namespace shop {

struct Config {
  std::string port = "8080";
  static std::vector<actord::About> about() { return {actord::about(&Config::port).port()}; }
};
ACTORD_FIELDS(Config, port)

class Shop : public actord::Actor {
 public:
  using Config = shop::Config;
  explicit Shop(const Config&) {}
  using Receive = actord::Handlers<>;
};

}  // namespace shop

ACTORD_PLUGIN("shop", "1.0.0", actord::Behaviours<shop::Shop>)
