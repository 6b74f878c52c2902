// SPDX-License-Identifier: Apache-2.0
#include "ctl/log_listing.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

Verb logs_verb() {
  Verb verb{
      .group = {},
      .name = "logs",
      .summary = "show the last lines of the log, and follow it",
      .description =
          "Prints lines of the running daemon's log, wherever that is written to: what actord\n"
          "says, and what actors log. With PATH only those about that actor and the actors\n"
          "below it. The daemon keeps some of the log for this, actord.log.history-size of\n"
          "actord.conf(5). Times are local.\n"
          "\n"
          "  actorctl logs -f\n"
          "  actorctl logs /user/crawler --since 10m --level warning\n"
          "  actorctl logs -e 'crawler.*' -n all -o json",
      .operands = {{.name = "PATH", .takes = Takes::running, .is_needed = false}},
      .options = listing_options(),
      .run = [](const Call& call) { return list_log(call, wire::Json::object()); }};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
