// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_text.hpp"
#include "ctl/titled_lines.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& message_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"id", Form::text, {}, true},
                                    {"ts", Form::text, {}, true},
                                    {"type", Form::text, {}, true},
                                    {"recipient", Form::text, {}, true},
                                    {"attempts", Form::number, {}, true},
                                    {"incarnation", Form::number, {}, true},
                                    {"failure",
                                     Form::object,
                                     {{"id"},
                                      {"phase"},
                                      {"causes", Form::objects, {{"type"}, {"message"}}},
                                      {"stack", Form::texts}},
                                     true},
                                    {"sender"},
                                    {"left_out"}};
  return shape;
}

void print_failure(std::ostream& out, const Json& failure) {
  const char* title = "failure";
  for (const Json& each : failure.value("causes", Json::array())) {
    const std::string what = text_at(each, "message");
    print_titled(out, title, text_at(each, "type") + (what.empty() ? "" : ": " + what));
    title = "caused by";
  }
  print_titled(out, "failure id", text_at(failure, "id"));
  title = "stack";
  for (const Json& each : failure.value("stack", Json::array())) {
    print_titled(out, title, each.get<std::string>());
    title = "";
  }
}

Exit show(const Call& call) {
  Exit exit = Exit::ok;
  const auto message =
      ask_daemon(call, "quarantine.show", {{"id", call.operands.front()}}, message_shape(), exit);
  if (!message) return exit;
  if (call.is_json()) {
    print_json(call.out, *message);
    return exit;
  }
  call.out << "message " << text_at(*message, "id") << " in the quarantine\n";
  print_titled(call.out, "when", local_time(*message));
  print_titled(call.out, "to", text_at(*message, "recipient"));
  print_titled(call.out, "from", text_at(*message, "sender"));
  print_titled(call.out, "type", text_at(*message, "type"));
  print_titled(call.out, "attempts", std::to_string(number_at(*message, "attempts")));
  print_failure(call.out, message->at("failure"));
  if (const std::string missing = text_at(*message, "left_out"); !missing.empty())
    print_titled(call.out, "not stored", missing);
  print_json(call.out, message->value("message", Json{}));
  return exit;
}

}  // namespace

Verb quarantine_show_verb() {
  Verb verb{
      .group = "quarantine",
      .name = "show",
      .summary = "show a message in the quarantine, and why its actor has failed",
      .description =
          "Prints one message of the quarantine: the last failure with its causes and the\n"
          "calls that led to it, and the content of the message as JSON. Members that the\n"
          "type calls secret are not shown.\n"
          "\n"
          "A message of an earlier run of actord is what its file has of it. If something is\n"
          "not stored there, such as a secret, this tells what, and the message can be\n"
          "dropped, but not sent again.\n"
          "\n"
          "  actorctl quarantine show h5e6qavf.q3",
      .operands = {{.name = "ID", .takes = Takes::quarantined}},
      .options = {},
      .run = &show};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
