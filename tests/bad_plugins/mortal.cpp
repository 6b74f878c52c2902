// SPDX-License-Identifier: Apache-2.0
//
// An actor that ends as a file tells it, which it reads again and again: the file contains "fail",
// "fail-once", which the actor removes from it, "stop" or nothing.
#include <actord/actord.hpp>

#include <fstream>
#include <string>

namespace mortal {

struct Look {};
ACTORD_MESSAGE(Look, "mortal.Look/1")

struct Broken : actord::Error {
  using Error::Error;
};

struct Config {
  std::string file;
};
ACTORD_FIELDS(Config, file)

class Mortal : public actord::Actor {
 public:
  using Config = mortal::Config;
  Mortal(actord::Context& ctx, Config config) : config_(std::move(config)) {
    using namespace std::chrono_literals;
    ctx.start_timer("look", 10ms, Look{}, 10ms);
  }

  void look(actord::Context& ctx, const Look&) {
    std::string word;
    std::ifstream(config_.file) >> word;
    if (word == "fail-once") std::ofstream{config_.file};
    if (word.starts_with("fail")) throw Broken("the file says so:\nSTOPPING=1");
    if (word == "stop") ctx.stop_self();
  }
  using Receive = actord::Handlers<&Mortal::look>;

 private:
  Config config_;
};

}  // namespace mortal

ACTORD_PLUGIN("mortal", "1.0.0", actord::Behaviours<mortal::Mortal>, actord::Messages<mortal::Look>,
              actord::Failures<mortal::Broken>)
