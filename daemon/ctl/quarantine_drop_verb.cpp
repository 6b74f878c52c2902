// SPDX-License-Identifier: Apache-2.0
#include "ctl/quarantine_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit drop(const Call& call) {
  Exit exit = Exit::ok;
  const auto ids = ids_wanted(call, exit);
  return ids ? drop_kept(call, "quarantine.drop", *ids) : exit;
}

}  // namespace

Verb quarantine_drop_verb() {
  Verb verb{.group = "quarantine",
            .name = "drop",
            .summary = "forget messages of the quarantine",
            .description =
                "Has the daemon forget messages of the quarantine, with their files.\n"
                "\n"
                "  actorctl quarantine drop h5e6qavf.q3\n"
                "  actorctl quarantine drop --all",
            .operands = quarantined_operands(),
            .options = {all_option("all messages that are there")},
            .run = &drop};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
