// SPDX-License-Identifier: Apache-2.0
//
// An actor that gets secrets in its config, and logs how long they are; and one that gives a secret
// away in its log and in the exception with which it fails.
#include <actord/actord.hpp>

#include <stdexcept>

namespace secretive {

struct KeeperConfig {
  std::string pin;
  std::vector<std::string> keys;

  static std::vector<actord::About> about() {
    return {actord::about(&KeeperConfig::pin).secret(),
            actord::about(&KeeperConfig::keys).secret()};
  }
};
ACTORD_FIELDS(KeeperConfig, pin, keys)

struct Handed {
  std::string pin;
  std::int32_t times = 0;

  static std::vector<actord::About> about() { return {actord::about(&Handed::pin).secret()}; }
};
ACTORD_MESSAGE(Handed, "secretive.Handed/1", pin, times)

class Keeper : public actord::Actor {
 public:
  using Config = KeeperConfig;

  explicit Keeper(const Config& config) : config_(config) {}

  Handed hand(const Handed& handed) { return {config_.pin, handed.times + 1}; }
  using Receive = actord::Handlers<&Keeper::hand>;

 private:
  void pre_start(actord::Context& ctx) override {
    std::string lengths = std::to_string(config_.pin.size());
    for (const std::string& key : config_.keys) lengths += ' ' + std::to_string(key.size());
    ctx.event(actord::Level::info, "secretive.knows", "secrets", {{"lengths", lengths}});
  }

  Config config_;
};

class Teller : public actord::Actor {
 public:
  using Config = KeeperConfig;
  using Receive = actord::Handlers<>;

  explicit Teller(const Config& config) : pin_(config.pin) {}

 private:
  void pre_start(actord::Context& ctx) override {
    ctx.event(actord::Level::info, "secretive.tells", "the pin is " + pin_, {{"pin", pin_}});
    throw std::runtime_error("cannot log in with " + pin_ + " as a pin");
  }

  std::string pin_;
};

}  // namespace secretive

ACTORD_PLUGIN("secretive", "1.0.0", actord::Behaviours<secretive::Keeper, secretive::Teller>,
              actord::Messages<secretive::Handed>)
