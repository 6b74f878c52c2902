// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit restart(const Call& call) {
  Exit exit = Exit::ok;
  const auto result = order_actor(call, "actor.restart", order_arguments(call), exit);
  if (!result || call.is_json()) return exit;
  call.out << result->value("path", "") << " was restarted";
  if (const std::string state = result->value("state", ""); !state.empty())
    call.out << ", and is " << state;
  call.out << '\n';
  return exit;
}

}  // namespace

Verb restart_verb() {
  Verb verb{
      .group = {},
      .name = "restart",
      .summary = "restart an actor",
      .description =
          "Restarts an actor below /user, as its supervisor would after a failure: the hooks\n"
          "pre_restart and post_restart are called, with the cause actord::RestartOrdered, a\n"
          "new instance takes over, and the mailbox stays. No restart limit counts it. An\n"
          "actor that waits for its restart is restarted at once. If the new instance is not\n"
          "up, the exit status is 75. An actor that has stopped is brought back by `actorctl\n"
          "start`.\n"
          "\n"
          "  actorctl restart /user/crawler --reason 'its index was repaired'",
      .operands = {{.name = "PATH", .takes = Takes::running}},
      .options = {reason_option()},
      .run = &restart};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
