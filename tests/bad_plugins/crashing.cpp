// SPDX-License-Identifier: Apache-2.0
//
// An actor that takes the process down in the way its config names, on its first message; and, for
// comparison, one way that is no crash but a failure like any other.
#include <actord/actord.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace crashing {

enum class How { pointer, overflow, divide, illegal, abort, terminate, thread, child, foreign };
ACTORD_ENUM(How, pointer, overflow, divide, illegal, abort, terminate, thread, child, foreign)

struct Config {
  actord::Required<How> how;
};
ACTORD_FIELDS(Config, how)

struct Crash {};
ACTORD_MESSAGE(Crash, "crashing.Crash/1")

volatile int* nowhere = nullptr;
volatile int zero = 0;

// Each level hands its frame to the next, so that no compiler makes a loop of it.
int deeper(volatile const char* above) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(above[0] + 1);
  return deeper(frame) + frame[0];
}

void promise_not_to_throw() noexcept { throw std::runtime_error("a broken promise"); }

// A process of its own crashes, and this one goes on.
void crash_child() {
  const pid_t child = ::fork();
  if (child == 0) *nowhere = 1;
  ::waitpid(child, nullptr, 0);
}

class Crasher : public actord::Actor {
 public:
  using Config = crashing::Config;
  explicit Crasher(const Config& config) : how_(config.how) {}

  void crash(actord::Context&, const Crash&) {
    switch (how_) {
      case How::pointer: *nowhere = 1; break;
      case How::overflow: zero = deeper("stack"); break;
      case How::divide: zero = 100 / zero; break;
      case How::illegal: __builtin_trap();
      case How::abort: std::abort();
      case How::terminate: promise_not_to_throw(); break;
      case How::thread: std::thread([] { *nowhere = 1; }).join(); break;
      case How::child: crash_child(); break;
      case How::foreign: throw 42;
    }
  }
  using Receive = actord::Handlers<&Crasher::crash>;

 private:
  void pre_start(actord::Context& ctx) override { ctx.tell(ctx.self(), Crash{}); }

  How how_;
};

/// Creates a Crasher with a number in its name.
class Spawner : public actord::Actor {
 public:
  using Config = crashing::Config;
  explicit Spawner(const Config& config) : config_(config) {}
  using Receive = actord::Handlers<>;

 private:
  void pre_start(actord::Context& ctx) override { ctx.spawn<Crasher>("crasher-1", config_); }

  Config config_;
};

}  // namespace crashing

ACTORD_PLUGIN("crashing", "1.2.3", actord::Behaviours<crashing::Crasher, crashing::Spawner>,
              actord::Messages<crashing::Crash>)
