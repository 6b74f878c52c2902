// SPDX-License-Identifier: Apache-2.0
//
// An actor that sends its child more messages than that handles.
#include <actord/actord.hpp>

#include <chrono>
#include <string>
#include <thread>

namespace flood {

struct Config {
  std::uint32_t messages = 0;
  std::uint32_t bytes = 0;     // of text in each
  std::uint32_t first_ms = 0;  // how long the child takes for the first message
  std::uint32_t each_us = 0;   // and for each further one
};
ACTORD_FIELDS(Config, messages, bytes, first_ms, each_us)

struct Send {};
ACTORD_MESSAGE(Send, "flood.Send/1")

struct Drop {
  std::string text;
};
ACTORD_MESSAGE(Drop, "flood.Drop/1", text)

class Basin : public actord::Actor {
 public:
  explicit Basin(const Config& config) : config_(config) {}

  void drop(actord::Context&, const Drop&) {
    if (std::exchange(is_first_, false))
      std::this_thread::sleep_for(std::chrono::milliseconds(config_.first_ms));
    else if (config_.each_us != 0)
      std::this_thread::sleep_for(std::chrono::microseconds(config_.each_us));
  }
  using Receive = actord::Handlers<&Basin::drop>;

 private:
  Config config_;
  bool is_first_ = true;
};

class Source : public actord::Actor {
 public:
  using Config = flood::Config;
  explicit Source(const Config& config) : config_(config) {}

  void send(actord::Context& ctx, const Send&) {
    for (int i = 0; i < 1000 && sent_ < config_.messages; ++i, ++sent_)
      ctx.tell(basin_, Drop{std::string(config_.bytes, 'x')});
    if (sent_ < config_.messages) ctx.tell(ctx.self(), Send{});
  }
  using Receive = actord::Handlers<&Source::send>;

 private:
  void pre_start(actord::Context& ctx) override {
    basin_ = ctx.spawn<Basin>("basin", config_);
    ctx.tell(ctx.self(), Send{});
  }

  Config config_;
  actord::Ref basin_;
  std::uint32_t sent_ = 0;
};

}  // namespace flood

ACTORD_PLUGIN("flood", "1.0.0", actord::Behaviours<flood::Source>,
              actord::Messages<flood::Send, flood::Drop>)
