// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit tell(const Call& call) {
  Exit exit = Exit::ok;
  const auto message = message_arguments(call, exit);
  if (!message) return exit;
  const auto result = order_actor(call, "actor.tell", *message, exit);
  if (result && !call.is_json()) call.out << "sent to " << result->value("path", "") << '\n';
  return exit;
}

}  // namespace

Verb tell_verb() {
  Verb verb{.group = {},
            .name = "tell",
            .summary = "send a message to an actor",
            .description =
                "Sends a message of that type, with the members of a JSON object, to an actor of\n"
                "the running daemon. It has no sender. A member that is left out has its default.\n"
                "A type that the actor does not take, and a member that the type does not have,\n"
                "are refused, and what there is is named. That it was sent does not mean that it\n"
                "was handled: the log tells what becomes of it.\n"
                "\n"
                "  actorctl tell /user/lab/subject directive_lab.Fail/1 '{\"with\":\"restart\"}'\n"
                "  actorctl tell /user/crawler actord.PoisonPill/1\n"
                "  actorctl tell /user/shop shop.Order/1 @order.json",
            .operands = message_operands(),
            .options = trace_options(),
            .run = &tell};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
