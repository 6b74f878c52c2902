// SPDX-License-Identifier: Apache-2.0
//
// An actor whose handler takes as long as its config says: asleep, at work, or asleep with all
// signals blocked.
#include <actord/actord.hpp>

#include <chrono>
#include <csignal>
#include <thread>

namespace stuck {

enum class How { sleep, spin, deaf };
ACTORD_ENUM(How, sleep, spin, deaf)

struct Config {
  How how = How::sleep;
  std::uint32_t ms = 3000;
  std::uint32_t times = 1;
  std::uint32_t start_ms = 0;  // how long its start takes
};
ACTORD_FIELDS(Config, how, ms, times, start_ms)

struct Work {};
ACTORD_MESSAGE(Work, "stuck.Work/1")

// Both are functions of their own, so that a test finds their names in a stack. The calls are not
// the last thing that they do, or the compiler would make jumps of them.
[[gnu::noinline]] int sleep_long(std::chrono::steady_clock::time_point until) {
  std::this_thread::sleep_until(until);
  return 1;
}

[[gnu::noinline]] int spin_long(std::chrono::steady_clock::time_point until) {
  volatile int rounds = 0;
  while (std::chrono::steady_clock::now() < until) rounds = rounds + 1;
  return rounds;
}

class Worker : public actord::Actor {
 public:
  using Config = stuck::Config;
  explicit Worker(const Config& config) : config_(config) {}

  void work(actord::Context& ctx, const Work&) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(config_.ms);
    sigset_t all, before;
    sigfillset(&all);
    if (config_.how == How::deaf) ::pthread_sigmask(SIG_BLOCK, &all, &before);
    result_ = config_.how == How::spin ? spin_long(until) : sleep_long(until);
    if (config_.how == How::deaf) ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ctx.event(actord::Level::info, "stuck.done", "the work is done");
  }
  using Receive = actord::Handlers<&Worker::work>;

 private:
  void pre_start(actord::Context& ctx) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(config_.start_ms));
    for (std::uint32_t i = 0; i < config_.times; ++i) ctx.tell(ctx.self(), Work{});
  }

  Config config_;
  int result_ = 0;
};

}  // namespace stuck

ACTORD_PLUGIN("stuck", "1.0.0", actord::Behaviours<stuck::Worker>, actord::Messages<stuck::Work>)
