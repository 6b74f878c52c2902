// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit drop(const Call& call) {
  Exit exit = Exit::ok;
  for (const std::string& id : call.operands) {
    const auto result = order_actor(call, "deadletters.drop", {{"id", id}}, exit);
    if (!result) return exit;
    if (!call.is_json()) call.out << id << " is forgotten\n";
  }
  return exit;
}

}  // namespace

Verb dead_letter_drop_verb() {
  Verb verb{.group = "deadletters",
            .name = "drop",
            .summary = "forget messages that were not delivered",
            .description =
                "Has the daemon forget dead letters.\n"
                "\n"
                "  actorctl deadletters drop h5e6qavf.12",
            .operands = {{.name = "ID", .takes = Takes::letter, .repeats = true}},
            .options = {},
            .run = &drop};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
