// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit start(const Call& call) {
  Exit exit = Exit::ok;
  const auto result = order_actor(call, "actor.start", {{"path", call.operands.front()}}, exit);
  if (!result || call.is_json()) return exit;
  const bool was_running = result->value("outcome", "") == "running";
  call.out << result->value("path", "") << (was_running ? " is running already\n" : " is up\n");
  return exit;
}

}  // namespace

Verb start_verb() {
  Verb verb{
      .group = {},
      .name = "start",
      .summary = "start an actor of the configuration that is not running",
      .description =
          "Starts a configured actor that has stopped, whatever the reason, and waits until\n"
          "it is up. If it waits for its restart, it is started at once. The actor begins\n"
          "anew: its mailbox is empty, and who watched the old one has been told of its end.\n"
          "One in quarantine, because it has crashed actord, is out of it.\n"
          "If it does not come up, the reason is printed, and the exit status is 75.\n"
          "\n"
          "  actorctl start /user/crawler\n"
          "\n"
          "To start all actors that have failed at once: actorctl config reload",
      .operands = {{.name = "PATH", .takes = Takes::actor}},
      .options = {},
      .run = &start};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
