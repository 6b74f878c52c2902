// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit kill(const Call& call) {
  Exit exit = Exit::ok;
  const auto result = order_actor(call, "actor.kill", order_arguments(call), exit);
  if (result && !call.is_json())
    call.out << "Kill was sent to " << result->value("path", "")
             << ": it fails in its turn, and its supervisor decides\n";
  return exit;
}

}  // namespace

Verb kill_verb() {
  Verb verb{
      .group = {},
      .name = "kill",
      .summary = "let an actor fail, as a test of its supervisor",
      .description =
          "Sends an actor below /user the message Kill. When its turn has come, the actor\n"
          "fails with actord::Killed, and its supervisor decides what happens: by default the\n"
          "actor is stopped. To stop it in any case, and to wait for that: `actorctl stop`.\n"
          "\n"
          "  actorctl kill /user/crawler",
      .operands = {{.name = "PATH", .takes = Takes::running}},
      .options = {reason_option()},
      .run = &kill};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
