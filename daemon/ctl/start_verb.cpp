// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& answer_shape() {
  static const AnswerShape shape = {{"path", MemberShape::Form::text, {}, true},
                                    {"outcome", MemberShape::Form::text, {}, true}};
  return shape;
}

Exit start(const Call& call) {
  Exit exit = Exit::ok;
  auto client = connect(call, exit);
  if (!client) return exit;
  const auto reply =
      client->ask("actor.start", Json{{"path", call.operands.front()}}, answer_shape());
  if (!check_reply(call, reply, exit)) return exit;
  const Json& result = reply->result;
  if (call.is_json()) print_json(call.out, result);
  else if (result.value("outcome", "") == "running")
    call.out << result.value("path", "") << " is running already\n";
  else call.out << result.value("path", "") << " is up\n";
  return exit;
}

}  // namespace

Verb start_verb() {
  Verb verb{
      .group = {},
      .name = "start",
      .summary = "start an actor of the configuration that is not running",
      .description =
          "Starts a configured actor that has stopped, whatever the reason, and waits until\n"
          "it is up. If it waits for its restart, it is started at once. The actor begins\n"
          "anew: its mailbox is empty, and who watched the old one has been told of its end.\n"
          "If it does not come up, the reason is printed, and the exit status is 75.\n"
          "\n"
          "  actorctl start /user/crawler\n"
          "\n"
          "To start all actors that have failed at once: actorctl config reload",
      .operands = {{.name = "PATH", .takes = Takes::actor}},
      .options = {},
      .run = &start};
  for (Option& option : connection_options()) verb.options.push_back(option);
  verb.options.push_back(output_option());
  return verb;
}

}  // namespace actord::ctl
