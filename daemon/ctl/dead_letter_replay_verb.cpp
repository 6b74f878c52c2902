// SPDX-License-Identifier: Apache-2.0
#include "ctl/kept_messages.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit replay(const Call& call) { return replay_kept(call, "deadletters.replay", call.operands); }

}  // namespace

Verb dead_letter_replay_verb() {
  Verb verb{
      .group = "deadletters",
      .name = "replay",
      .summary = "send messages again that were not delivered",
      .description =
          "Sends the message of a dead letter to the actor that has its recipient's path now, or\n"
          "to another one, and forgets the letter. The sender is the same, if it still lives; the\n"
          "answer to a question comes to it as a message like any other. A message that the\n"
          "actor has no handler for is refused, and the letter is kept. Of several letters, the\n"
          "first that cannot be sent ends the command.\n"
          "\n"
          "  actorctl deadletters replay h5e6qavf.12\n"
          "  actorctl deadletters replay h5e6qavf.12 --to /user/shop-2\n"
          "  actorctl deadletters replay $(actorctl deadletters list /user/shop -o name -n all)",
      .operands = {{.name = "ID", .takes = Takes::letter, .repeats = true}},
      .options = {{.name = "to",
                   .takes = Takes::running,
                   .argument = "PATH",
                   .help = "send it to this actor"}},
      .run = &replay};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
