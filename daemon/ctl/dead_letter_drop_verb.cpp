// SPDX-License-Identifier: Apache-2.0
#include "ctl/kept_messages.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit drop(const Call& call) { return drop_kept(call, "deadletters.drop", call.operands); }

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
