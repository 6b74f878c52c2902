// SPDX-License-Identifier: Apache-2.0
#include "ctl/actor_order.hpp"

#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"

namespace actord::ctl {

Option reason_option() {
  return {.name = "reason",
          .takes = Takes::text,
          .argument = "TEXT",
          .help = "why, for the log of who has ordered what"};
}

wire::Json order_arguments(const Call& call) {
  wire::Json arguments = {{"path", call.operands.front()},
                          {"timeout_ms", timeout_of_daemon(call).count()}};
  if (call.has("reason")) arguments["reason"] = call.value("reason");
  return arguments;
}

std::optional<wire::Json> order_actor(const Call& call, const std::string& verb,
                                      wire::Json arguments, Exit& exit) {
  static const AnswerShape shape = {{"path", MemberShape::Form::text, {}, true},
                                    {"outcome", MemberShape::Form::text, {}, true}};
  auto result = ask_daemon(call, verb, std::move(arguments), shape, exit);
  if (result && call.is_json()) print_json(call.out, *result);
  return result;
}

}  // namespace actord::ctl
