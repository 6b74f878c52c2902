// SPDX-License-Identifier: Apache-2.0
#include <actord/actord.hpp>

namespace greeter {

struct Hello {
  std::string name;
};
ACTORD_MESSAGE(Hello, "greeter.Hello/1", name)  // its name for others, then all fields
struct Greeting {
  std::string text;
};
ACTORD_MESSAGE(Greeting, "greeter.Greeting/1", text)

class Greeter : public actord::Actor {
 public:
  Greeting greet(const Hello& hello) { return {"Hello, " + hello.name + "!"}; }

  using Receive = actord::Handlers<&Greeter::greet>;
};

}  // namespace greeter

ACTORD_PLUGIN("greeter", "1.0.0", actord::Behaviours<greeter::Greeter>,
              actord::Messages<greeter::Hello, greeter::Greeting>)
