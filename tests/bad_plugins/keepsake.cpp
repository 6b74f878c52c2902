// SPDX-License-Identifier: Apache-2.0
//
// A plugin whose messages must not outlive it: one that is destroyed after detach() says so.
#include <actord/actord.hpp>

#include <cstdio>

namespace keepsake {

bool is_detached = false;

struct Given {
  std::string text;

  Given() = default;
  Given(const Given&) = default;
  Given(Given&&) = default;
  Given& operator=(const Given&) = default;
  Given& operator=(Given&&) = default;
  ~Given() {
    if (is_detached) std::fputs("a message has outlived its plugin\n", stderr);
  }
};
ACTORD_MESSAGE(Given, "keepsake.Given/1", text)

class Holder : public actord::Actor {
 public:
  void take(const Given&) {}
  using Receive = actord::Handlers<&Holder::take>;
};

struct Module {
  static void attach(actord::System) {}
  static void detach() {
    is_detached = true;
    std::fputs("detached\n", stderr);
  }
};

}  // namespace keepsake

ACTORD_PLUGIN("keepsake", "1.0.0", actord::Behaviours<keepsake::Holder>,
              actord::Messages<keepsake::Given>, actord::Module<keepsake::Module>)
