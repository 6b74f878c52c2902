// SPDX-License-Identifier: Apache-2.0
//
// A host process for tests: the real one with a scripted guest; or, for a plugin whose name begins
// with "liar", one that does what no host may do on its socket.
#include <unistd.h>

#include <string>
#include <string_view>

#include "host/host_program.hpp"
#include "isolate/host_steps.hpp"
#include "os/child_process.hpp"
#include "os/packet_socket.hpp"

namespace {

using namespace actord;
using isolate::StepKind;

void say(std::string_view packet) { os::send_packet(os::inherited_descriptor, packet); }

void lie(std::string_view how) {
  static_cast<void>(os::receive_packet(os::inherited_descriptor, 2));
  if (how == "liar_silent") return;
  if (how == "liar_early") return say("a.");
  if (how == "liar_long") return say("l." + std::string(2 * os::packet_bytes_max, 'x'));
  if (how == "liar_short") return say("l");
  if (how == "liar_mixed") return say("q+abc"), say("t.");
  if (how == "liar_endless") {
    const std::string packet = "q+" + std::string(os::packet_bytes_max - 2, 'x');
    for (;;) say(packet);
  }
  if (how == "liar_deaf") {
    ::close(os::inherited_descriptor);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string plugin = host::begin(argc, argv);
  if (!plugin.starts_with("liar")) return host::run();
  lie(plugin);
  for (;;) ::pause();
}
