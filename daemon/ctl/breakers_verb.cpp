// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/rough_quantity.hpp"
#include "ctl/text_table.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& breakers_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"breakers",
                                     Form::objects,
                                     {{"name", Form::text, {}, true},
                                      {"state", Form::text, {}, true},
                                      {"failures", Form::number, {}, true},
                                      {"remaining_ms", Form::number, {}, true},
                                      {"opened", Form::number, {}, true},
                                      {"failed", Form::number, {}, true},
                                      {"refused", Form::number, {}, true}},
                                     true},
                                    {"breakers_left_out", Form::number}};
  return shape;
}

Exit list_breakers(const Call& call) {
  Exit exit = Exit::ok;
  const auto answer = ask_daemon(call, "breakers.list", Json::object(), breakers_shape(), exit);
  if (!answer) return exit;
  const Json& all = answer->at("breakers");
  if (call.is_json()) {
    print_json(call.out, *answer);
  } else if (call.is_names()) {
    for (const Json& each : all) call.out << text_at(each, "name") << '\n';
  } else if (all.empty()) {
    call.err << "neither the configuration nor an actor has named a circuit breaker\n";
  } else {
    TextTable table(
        {{"NAME"}, {"STATE"}, {"FAILURES"}, {"FOR"}, {"OPENED"}, {"FAILED"}, {"REFUSED"}});
    for (const Json& each : all)
      table.add(
          {text_at(each, "name"), text_at(each, "state"),
           std::to_string(number_at(each, "failures")),
           number_at(each, "remaining_ms") == 0 ? ""
                                                : rough_duration(number_at(each, "remaining_ms")),
           std::to_string(number_at(each, "opened")), std::to_string(number_at(each, "failed")),
           std::to_string(number_at(each, "refused"))});
    table.print(call.out);
    if (const std::uint64_t more = number_at(*answer, "breakers_left_out"))
      call.out << "and " << more << " more\n";
  }
  return exit;
}

}  // namespace

Verb breakers_verb() {
  Verb verb{.group = {},
            .name = "breakers",
            .summary = "list the circuit breakers that actors share",
            .description =
                "Lists the circuit breakers that actord.circuit-breaker or an actor has named: the "
                "state\n"
                "of each (closed, open or half-open), its failures in a row, for how long it lets "
                "no call\n"
                "through, how often it has opened, and how many calls have failed and were refused "
                "since\n"
                "actord has started. An open one whose time is over tries the next call.\n"
                "\n"
                "  actorctl breakers",
            .operands = {},
            .options = {},
            .run = &list_breakers};
  return with_names(with_daemon_options(std::move(verb)));
}

}  // namespace actord::ctl
