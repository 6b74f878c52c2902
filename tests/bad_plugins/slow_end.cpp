// SPDX-License-Identifier: Apache-2.0
//
// A plugin whose end takes long: MS milliseconds, 0 for ever, in the place that WHERE names.
#include <actord/actord.hpp>

#include <unistd.h>

#include <cstdio>

namespace {

[[maybe_unused]] void take_long() {
  if (MS != 0) ::usleep(MS * 1000);
  else
    for (;;) ::pause();
  std::fputs("the end\n", stderr);
}

class It : public actord::Actor {
 public:
  using Receive = actord::Handlers<>;
};

struct Module {
  static void attach(actord::System) {}
  static void detach() {
    if constexpr (WHERE == 'd') take_long();
  }
};

struct Static {
  ~Static() {
    if constexpr (WHERE == 's') take_long();
  }
};
const Static destroyed_at_exit;

}  // namespace

ACTORD_PLUGIN(NAME, "1.0.0", actord::Behaviours<It>, actord::Messages<>, actord::Module<Module>)
