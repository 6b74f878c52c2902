// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

Exit shut_down(const Call& call) {
  static const AnswerShape shape = {{"phases", MemberShape::Form::texts, {}, true}};
  Json arguments = Json::object();
  for (const char* const option : {"from", "reason"})
    if (call.has(option)) arguments[option] = call.value(option);
  Exit exit = Exit::ok;
  const auto result = ask_daemon(call, "daemon.shutdown", std::move(arguments), shape, exit);
  if (!result) return exit;
  if (call.is_json()) print_json(call.out, *result);
  else {
    call.out << "actord is stopping; the phases are";
    for (const Json& each : result->at("phases")) call.out << ' ' << each.get<std::string>();
    call.out << "\nactorctl logs -f shows how it goes\n";
  }
  return exit;
}

}  // namespace

Verb shutdown_verb() {
  Verb verb{
      .group = {},
      .name = "shutdown",
      .summary = "stop actord, phase by phase",
      .description =
          "As `systemctl stop actord` does: runs the phases of actord.coordinated-shutdown, with\n"
          "the tasks that actors have for the stop, then stops all actors. --from leaves out the\n"
          "phases before that one. The answer comes at once. A service manager that restarts\n"
          "actord after any end starts it again.\n"
          "\n"
          "  actorctl shutdown --reason 'new kernel'\n"
          "  actorctl shutdown --from service-stop",
      .operands = {},
      .options = {{.name = "from",
                   .takes = Takes::text,
                   .argument = "PHASE",
                   .help = "the first phase that runs"},
                  reason_option()},
      .run = &shut_down};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
