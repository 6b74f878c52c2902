// SPDX-License-Identifier: Apache-2.0
#include "ctl/quarantine_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit replay(const Call& call) {
  Exit exit = Exit::ok;
  const auto ids = ids_wanted(call, exit);
  return ids ? replay_kept(call, "quarantine.replay", *ids) : exit;
}

}  // namespace

Verb quarantine_replay_verb() {
  Verb verb{
      .group = "quarantine",
      .name = "replay",
      .summary = "send messages of the quarantine again",
      .description =
          "Sends a message to the actor that has its recipient's path now, or to another one, and\n"
          "takes it out of the quarantine. The sender is the same, or the actor that has its path\n"
          "now. If the actor fails on it again as often as it may, it comes back under another\n"
          "ID. A message that the actor has no handler for is refused and stays. Of several\n"
          "messages, the first that cannot be sent ends the command.\n"
          "\n"
          "  actorctl quarantine replay h5e6qavf.q3\n"
          "  actorctl quarantine replay h5e6qavf.q3 --to /user/shop-2\n"
          "  actorctl quarantine replay --all",
      .operands = quarantined_operands(),
      .options = {{.name = "to",
                   .takes = Takes::running,
                   .argument = "PATH",
                   .help = "send it to this actor"},
                  all_option("all messages that are there, the oldest first")},
      .run = &replay};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
