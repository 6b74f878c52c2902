// SPDX-License-Identifier: Apache-2.0
#include "ctl/log_query.hpp"
#include "ctl/quarantine_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit list(const Call& call) {
  wire::Json arguments = wire::Json::object();
  if (!call.operands.empty()) arguments["path"] = call.operands.front();
  return print_kept(call, quarantine_list(), arguments);
}

}  // namespace

Verb quarantine_list_verb() {
  Verb verb{
      .group = "quarantine",
      .name = "list",
      .summary = "show on which messages actors have failed again and again",
      .description =
          "Lists the newest messages in the quarantine, the oldest of them first: when they came\n"
          "there, their types, to whom they were sent, how often that actor has failed on them,\n"
          "and the type of the last failure. With PATH only those to that actor and the actors\n"
          "below it. A message comes there if the actor's on-failure { message = redeliver } says\n"
          "that it is given again, after on-failure.max-attempts failures.\n"
          "\n"
          "Each is a file in the folder quarantine/ of the state directory, for when no daemon\n"
          "runs. How many there may be is set by actord.quarantine.\n"
          "\n"
          "The quarantine of plugins and of actors that have crashed actord is another one:\n"
          "actorctl crash list shows it.\n"
          "\n"
          "  actorctl quarantine list\n"
          "  actorctl quarantine list /user/crawler -n all",
      .operands = {{.name = "PATH", .takes = Takes::running, .is_needed = false}},
      .options = {lines_option("show the last N, or all; default: 20")},
      .run = &list};
  return with_names(with_daemon_options(std::move(verb)));
}

}  // namespace actord::ctl
