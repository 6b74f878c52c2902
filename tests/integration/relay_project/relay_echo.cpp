// SPDX-License-Identifier: Apache-2.0
//
// What plugins/c_echo and plugins/rust_echo do, in C++.
#include <actord/actord.hpp>

namespace relay_echo {

struct Text {
  std::string text;
};
ACTORD_MESSAGE(Text, "echo.Text/1", text)

class Echo : public actord::Actor {
 public:
  Text answer(const Text& question) { return question; }
  using Receive = actord::Handlers<&Echo::answer>;
};

struct Config {
  actord::Required<actord::Ref> to;
};
ACTORD_FIELDS(Config, to)

struct NothingToSay : actord::Error {
  using Error::Error;
};

class Relay : public actord::Actor {
 public:
  using Config = relay_echo::Config;
  explicit Relay(const Config& config) : to_(config.to) {}

  void hand_on(actord::Context& ctx, const Text& text) {
    if (text.text.empty()) throw NothingToSay("the text is empty");
    ctx.tell(to_, Text{text}, ctx.sender());
  }
  using Receive = actord::Handlers<&Relay::hand_on>;

 private:
  actord::Ref to_;
};

/// Asks another actor, and answers with what it has answered.
class Asker : public actord::Actor {
 public:
  using Config = relay_echo::Config;
  explicit Asker(const Config& config) : to_(config.to) {}

  void ask(actord::Context& ctx, const Text& text) {
    asker_ = ctx.sender();
    ctx.ask<&Asker::answered>(to_, Text{text}, std::chrono::seconds{5});
  }
  void answered(actord::Context& ctx, const actord::Reply<Text>& reply) {
    if (reply) ctx.tell(asker_, Text{reply->text});
    else ctx.tell(asker_, Text{"failure: " + std::string{reply.failure().what()}});
  }
  using Receive = actord::Handlers<&Asker::ask>;

 private:
  actord::Ref to_, asker_;
};

}  // namespace relay_echo

ACTORD_PLUGIN(PLUGIN_NAME, "1.0.0",
              actord::Behaviours<relay_echo::Echo, relay_echo::Relay, relay_echo::Asker>,
              actord::Messages<relay_echo::Text>, actord::Failures<relay_echo::NothingToSay>)
