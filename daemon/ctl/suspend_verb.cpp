// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit suspend(const Call& call) {
  Exit exit = Exit::ok;
  const auto result = order_actor(call, "actor.suspend", order_arguments(call), exit);
  if (!result || call.is_json()) return exit;
  call.out << result->value("path", "")
           << (result->value("already", false) ? " was suspended already\n" : " is suspended\n");
  return exit;
}

}  // namespace

Verb suspend_verb() {
  Verb verb{
      .group = {},
      .name = "suspend",
      .summary = "let an actor handle no messages for now",
      .description =
          "Suspends an actor below /user, and all actors below it, between two messages: they\n"
          "keep their state, and their messages wait until `actorctl resume`. Restarts and\n"
          "reloads do not end it. Who asks a suspended actor gets no answer in time.\n"
          "\n"
          "  actorctl suspend /user/crawler --reason 'disk is being replaced'",
      .operands = {{.name = "PATH", .takes = Takes::running}},
      .options = {reason_option()},
      .run = &suspend};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
