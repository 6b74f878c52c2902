// SPDX-License-Identifier: Apache-2.0
//
// An actor that ends the process with status 0 by the call, and in the place, that its config
// names.
#include <actord/actord.hpp>

#include <err.h>
#include <pthread.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace exiting {

enum class Call { exit, _exit, _Exit, quick_exit, pthread_exit, thrd_exit, err };
ACTORD_ENUM(Call, exit, _exit, _Exit, quick_exit, pthread_exit, thrd_exit, err)
enum class Place { handler, constructor, thread, child, detach, end };
ACTORD_ENUM(Place, handler, constructor, thread, child, detach, end)

struct Config {
  actord::Required<Call> call;
  actord::Required<Place> place;
};
ACTORD_FIELDS(Config, call, place)

struct Exit {};
ACTORD_MESSAGE(Exit, "exiting.Exit/1")

Config chosen;  // for the places outside of an actor

void end_process(Call call) {
  switch (call) {
    case Call::exit: std::exit(0);
    case Call::_exit: ::_exit(0);
    case Call::_Exit: std::_Exit(0);
    case Call::quick_exit: std::quick_exit(0);
    case Call::pthread_exit: ::pthread_exit(nullptr);
    case Call::thrd_exit: ::thrd_exit(0);
    case Call::err: ::errx(0, "the C library calls exit()");
  }
}

// A process of its own ends, and this one goes on.
void end_child(Call call) {
  const pid_t child = ::fork();
  if (child == 0) end_process(call);
  ::waitpid(child, nullptr, 0);
}

class Exiter : public actord::Actor {
 public:
  using Config = exiting::Config;
  explicit Exiter(const Config& config) {
    chosen = config;
    if (*config.place == Place::constructor) end_process(*config.call);
  }

  void exit(actord::Context&, const Exit&) {
    if (*chosen.place == Place::handler) end_process(*chosen.call);
    if (*chosen.place == Place::child) end_child(*chosen.call);
    if (*chosen.place == Place::thread) std::thread([] { end_process(*chosen.call); }).join();
  }
  using Receive = actord::Handlers<&Exiter::exit>;

 private:
  void pre_start(actord::Context& ctx) override { ctx.tell(ctx.self(), Exit{}); }
};

struct Module {
  static void attach(actord::System) {}
  static void detach() {
    if (*chosen.place == Place::detach) end_process(*chosen.call);
  }
};

struct AtTheEnd {
  ~AtTheEnd() {
    if (*chosen.place == Place::end) end_process(*chosen.call);
  }
};
const AtTheEnd at_the_end;

}  // namespace exiting

ACTORD_PLUGIN("exiting", "1.2.3", actord::Behaviours<exiting::Exiter>,
              actord::Messages<exiting::Exit>, actord::Module<exiting::Module>)
