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

const AnswerShape& workers_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"workers",
                                     Form::objects,
                                     {{"process", Form::number, {}, true},
                                      {"plugin", Form::text, {}, true},
                                      {"state", Form::text, {}, true},
                                      {"group"},
                                      {"actor"},
                                      {"actors", Form::number, {}, true},
                                      {"age_ms", Form::number, {}, true},
                                      {"cpu_ms", Form::number, {}, true},
                                      {"resident_bytes", Form::number, {}, true}},
                                     true},
                                    {"workers_left_out", Form::number},
                                    {"plugins",
                                     Form::objects,
                                     {{"plugin", Form::text, {}, true},
                                      {"started", Form::number, {}, true},
                                      {"stopped", Form::number, {}, true},
                                      {"crashed", Form::number, {}, true},
                                      {"killed", Form::number, {}, true}},
                                     true}};
  return shape;
}

void print_workers(std::ostream& out, const Json& answer) {
  using enum TextTable::Column::Align;
  TextTable table({{"PROCESS", right},
                   {"PLUGIN"},
                   {"GROUP"},
                   {"STATE"},
                   {"ACTORS", right},
                   {"FOR"},
                   {"CPU"},
                   {"MEMORY", right}});
  for (const Json& each : answer.at("workers")) {
    const std::string actor = text_at(each, "actor"), group = text_at(each, "group");
    table.add({std::to_string(number_at(each, "process")), text_at(each, "plugin"),
               !actor.empty()   ? actor
               : !group.empty() ? group
                                : "-",
               text_at(each, "state"), std::to_string(number_at(each, "actors")),
               rough_duration(number_at(each, "age_ms")), rough_duration(number_at(each, "cpu_ms")),
               rough_bytes(number_at(each, "resident_bytes"))});
  }
  if (!table.is_empty()) table.print(out);
  if (const std::uint64_t more = number_at(answer, "workers_left_out"))
    out << "and " << more << " more\n";
  TextTable ended(
      {{"PLUGIN"}, {"STARTED", right}, {"STOPPED", right}, {"CRASHED", right}, {"KILLED", right}});
  for (const Json& each : answer.at("plugins"))
    ended.add({text_at(each, "plugin"), std::to_string(number_at(each, "started")),
               std::to_string(number_at(each, "stopped")),
               std::to_string(number_at(each, "crashed")),
               std::to_string(number_at(each, "killed"))});
  if (!table.is_empty() && !ended.is_empty()) out << '\n';
  if (!ended.is_empty()) ended.print(out);
}

Exit list_workers(const Call& call) {
  Exit exit = Exit::ok;
  const auto answer = ask_daemon(call, "workers.list", Json::object(), workers_shape(), exit);
  if (!answer) return exit;
  const Json& workers = answer->at("workers");
  if (call.is_json()) {
    print_json(call.out, *answer);
  } else if (call.is_names()) {
    for (const Json& each : workers) call.out << number_at(each, "process") << '\n';
  } else if (workers.empty() && answer->at("plugins").empty()) {
    call.err << "no actor lives in a process of its own\n"
                "  isolation = process in its node, in a pattern or for its plugin isolates it: "
                "actord.conf(5)\n";
  } else {
    print_workers(call.out, *answer);
  }
  return exit;
}

}  // namespace

Verb workers_verb() {
  Verb verb{
      .group = {},
      .name = "workers",
      .summary = "list the processes that isolated actors live in",
      .description =
          "Lists the host processes: the plugin and the group of each (the path, if the actor "
          "has\n"
          "a process of its own), how many actors live there, for how long it has been there, "
          "the\n"
          "time of a CPU that it has taken, and its memory, in which what processes share "
          "counts in\n"
          "each. A spare has loaded the plugin and waits for actors. Below: how many were "
          "started\n"
          "for actors, and how many have ended in order, by themselves, or were killed by "
          "actord.\n"
          "The process of one actor is in actorctl inspect.\n"
          "\n"
          "  actorctl workers\n"
          "  gdb -p $(actorctl workers -o name | head -n 1)",
      .operands = {},
      .options = {},
      .run = &list_workers};
  return with_names(with_daemon_options(std::move(verb)));
}

}  // namespace actord::ctl
