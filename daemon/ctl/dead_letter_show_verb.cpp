// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_text.hpp"
#include "ctl/titled_lines.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

const AnswerShape& letter_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {
      {"id", Form::text, {}, true},        {"ts", Form::text, {}, true},
      {"reason", Form::text, {}, true},    {"type", Form::text, {}, true},
      {"recipient", Form::text, {}, true}, {"sender"}};
  return shape;
}

Exit show(const Call& call) {
  Exit exit = Exit::ok;
  const auto letter =
      ask_daemon(call, "deadletters.show", {{"id", call.operands.front()}}, letter_shape(), exit);
  if (!letter) return exit;
  if (call.is_json()) {
    print_json(call.out, *letter);
    return exit;
  }
  call.out << "dead letter " << text_at(*letter, "id") << '\n';
  print_titled(call.out, "when", local_time(*letter));
  print_titled(call.out, "reason", text_at(*letter, "reason"));
  print_titled(call.out, "to", text_at(*letter, "recipient"));
  print_titled(call.out, "from", text_at(*letter, "sender"));
  print_titled(call.out, "type", text_at(*letter, "type"));
  print_json(call.out, letter->value("message", wire::Json{}));
  return exit;
}

}  // namespace

Verb dead_letter_show_verb() {
  Verb verb{.group = "deadletters",
            .name = "show",
            .summary = "show what is in a message that was not delivered",
            .description =
                "Prints one dead letter, its content as JSON. Members that the type calls secret\n"
                "are not shown.\n"
                "\n"
                "  actorctl deadletters show h5e6qavf.12",
            .operands = {{.name = "ID", .takes = Takes::letter}},
            .options = {},
            .run = &show};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
