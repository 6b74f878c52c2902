// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit stop(const Call& call) {
  Exit exit = Exit::ok;
  const auto result = order_actor(call, "actor.stop", order_arguments(call), exit);
  if (result && !call.is_json()) call.out << result->value("path", "") << " has stopped\n";
  return exit;
}

}  // namespace

Verb stop_verb() {
  Verb verb{
      .group = {},
      .name = "stop",
      .summary = "stop an actor",
      .description =
          "Stops an actor below /user with all its children, and waits for its end. It ends\n"
          "in order: it completes its message and calls post_stop; what waits in its mailbox\n"
          "becomes dead letters. Its parent does not restart it. An actor of the\n"
          "configuration stays away until `actorctl start`, `actorctl config reload --force`\n"
          "or a restart of actord.\n"
          "\n"
          "  actorctl stop /user/crawler",
      .operands = {{.name = "PATH", .takes = Takes::running}},
      .options = {reason_option()},
      .run = &stop};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
