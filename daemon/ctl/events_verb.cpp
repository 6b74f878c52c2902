// SPDX-License-Identifier: Apache-2.0
#include "ctl/log_listing.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::uint64_t before_ms = 5 * 60 * 1000, behind_ms = 10 * 1000;

Exit events(const Call& call) {
  Json filter = {{"only_events", true}};
  if (!call.has("around")) return list_log(call, std::move(filter));
  const std::string id = call.value("around");
  if (call.has("since"))
    return report_failure(call, {Exit::usage, "--around and --since exclude each other"});
  Exit exit = Exit::ok;
  const auto about = LogQuery(Json{{"failure", id}}).last(call, SIZE_MAX, exit);
  if (!about) return exit;
  if (about->empty()) return report_failure(call, no_failure(id));
  const std::uint64_t at_ms = wall_ms(about->front());
  filter["since_ms"] = at_ms - std::min(at_ms, before_ms);
  filter["until_ms"] = at_ms + behind_ms;
  return list_log(call, std::move(filter));
}

}  // namespace

Verb events_verb() {
  Verb verb{.group = {},
            .name = "events",
            .summary = "show what happened, such as before a failure",
            .description =
                "Prints the events of actord itself, as `actorctl logs` does, without what actors\n"
                "log: starts, failures and stops of actors, reloads of the configuration, orders\n"
                "of operators, and the daemon's own starts and stops. Those of earlier runs are\n"
                "among them. --around shows what changed before a failure, and what followed.\n"
                "\n"
                "  actorctl events --since 24h\n"
                "  actorctl events --around h5e6qavf-1\n"
                "  actorctl events -e 'config.*' -e 'admin.*' -n all",
            .operands = {{.name = "PATH", .takes = Takes::running, .is_needed = false}},
            .options = listing_options(),
            .run = &events};
  verb.options.push_back({.name = "around",
                          .takes = Takes::failure,
                          .argument = "ID",
                          .help =
                              "from 5 minutes before the failure with this id until 10 seconds\n"
                              "behind it"});
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
