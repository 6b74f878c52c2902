// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

Exit metrics(const Call& call) {
  static const AnswerShape shape = {{"text", MemberShape::Form::text, {}, true}};
  Exit exit = Exit::ok;
  const auto result = ask_daemon(call, "metrics", Json::object(), shape, exit);
  if (!result) return exit;
  if (call.is_json()) print_json(call.out, *result);
  else call.out << result->value("text", "");
  return exit;
}

}  // namespace

Verb metrics_verb() {
  Verb verb{
      .group = {},
      .name = "metrics",
      .summary = "print the figures of the daemon, as Prometheus reads them",
      .description =
          "Prints what /metrics has, in Prometheus' format, also where HTTP is off\n"
          "(actord.http.listen): messages, restarts, actors that are up, memory, threads and\n"
          "reloads. A file of it in the folder of the textfile collector of the node exporter\n"
          "is one way to Prometheus; HTTP is the other.\n"
          "\n"
          "  actorctl metrics | grep restarts",
      .operands = {},
      .options = {},
      .run = &metrics};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
