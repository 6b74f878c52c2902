// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& ask_shape() {
  static const AnswerShape shape = {{"path", MemberShape::Form::text, {}, true},
                                    {"type", MemberShape::Form::text, {}, true}};
  return shape;
}

Exit ask(const Call& call) {
  Exit exit = Exit::ok;
  auto arguments = message_arguments(call, exit);
  if (!arguments) return exit;
  (*arguments)["timeout_ms"] = timeout_of_daemon(call).count();
  const auto result = ask_daemon(call, "actor.ask", *std::move(arguments), ask_shape(), exit);
  if (result) print_json(call.out, call.is_json() ? *result : result->value("message", Json{}));
  return exit;
}

}  // namespace

Verb ask_verb() {
  Verb verb{.group = {},
            .name = "ask",
            .summary = "send a message to an actor and print its answer",
            .description =
                "Sends a message as `actorctl tell` does, waits for the answer, and prints it as\n"
                "JSON; with -o json also the type of the answer. Members that the type calls\n"
                "secret are not shown. If the actor answers with a failure, or not at all within\n"
                "the time, the exit status is 1. --trace follows the question, and what it\n"
                "causes, through all actors; `actorctl story` shows that.\n"
                "\n"
                "  actorctl ask /user/crawler crawler.Search/1 '{\"query\":\"write-ahead log\"}'\n"
                "  actorctl ask /user/crawler crawler.Search/1 '{\"query\":\"wal\"}' --trace\n"
                "  actorctl ask /user/shop shop.GetPrice/1 '{\"sku\":\"A-1\"}' --timeout 5s",
            .operands = message_operands(),
            .options = trace_options(),
            .run = &ask};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
