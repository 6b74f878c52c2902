// SPDX-License-Identifier: Apache-2.0
//
// The smallest plugin: an actor that answers each text with the same text. README.md explains each
// line.
#include <actord/actord.hpp>

namespace echo {

struct Text {
  std::string text;
};
ACTORD_MESSAGE(Text, "echo.Text/1", text)

class Echo : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Answers every echo.Text/1 with the same text.";

  Text answer(const Text& question) { return question; }

  using Receive = actord::Handlers<&Echo::answer>;
};

}  // namespace echo

ACTORD_PLUGIN("echo", "1.0.0", actord::Behaviours<echo::Echo>, actord::Messages<echo::Text>)
