// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit resume(const Call& call) {
  Exit exit = Exit::ok;
  const auto result = order_actor(call, "actor.resume", order_arguments(call), exit);
  if (!result || call.is_json()) return exit;
  const std::string path = result->value("path", "");
  if (result->value("already", false)) call.out << path << " was not suspended by an operator\n";
  else call.out << path << " goes on\n";
  return exit;
}

}  // namespace

Verb resume_verb() {
  Verb verb{.group = {},
            .name = "resume",
            .summary = "let a suspended actor go on",
            .description =
                "Ends what `actorctl suspend` has begun: the actor and those below it handle the\n"
                "messages that have come meanwhile. A suspension by a failure is not ended: the\n"
                "supervisor does that.\n"
                "\n"
                "  actorctl resume /user/crawler",
            .operands = {{.name = "PATH", .takes = Takes::running}},
            .options = {reason_option()},
            .run = &resume};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
