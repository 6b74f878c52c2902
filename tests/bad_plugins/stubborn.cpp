// SPDX-License-Identifier: Apache-2.0
//
// An actor that does not come back from post_stop: what a second signal is for.
#include <actord/actord.hpp>

#include <unistd.h>

namespace stubborn {

class Stubborn : public actord::Actor {
 public:
  using Receive = actord::Handlers<>;

 private:
  void post_stop(actord::Context& ctx) override {
    ctx.event(actord::Level::info, "stubborn.stays", "I shall not be moved");
    for (;;) ::pause();
  }
};

}  // namespace stubborn

ACTORD_PLUGIN("stubborn", "1.0.0", actord::Behaviours<stubborn::Stubborn>, actord::Messages<>)
