// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/text_table.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& timers_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"path", Form::text, {}, true},
                                    {"timers",
                                     Form::objects,
                                     {{"key", Form::text, {}, true},
                                      {"type", Form::text, {}, true},
                                      {"in_ms", Form::number, {}, true},
                                      {"every_ms", Form::number, {}, true}},
                                     true},
                                    {"timers_count", Form::number, {}, true},
                                    {"receive_timeout_ms", Form::number}};
  return shape;
}

void print(std::ostream& out, const Json& timers, const Json& actor) {
  TextTable table({{"KEY"}, {"SENDS"}, {"IN"}, {"THEN EVERY"}});
  for (const Json& each : timers) {
    const std::uint64_t every = number_at(each, "every_ms");
    table.add({text_at(each, "key"), text_at(each, "type"), duration_at(each, "in_ms"),
               every == 0 ? "" : duration_at(each, "every_ms")});
  }
  if (!table.is_empty()) table.print(out);
  const std::uint64_t count = number_at(actor, "timers_count");
  if (count > timers.size()) out << "and " << count - timers.size() << " more\n";
  if (actor.contains("receive_timeout_ms"))
    out << "receive timeout after " << duration_at(actor, "receive_timeout_ms") << '\n';
}

Exit timers(const Call& call) {
  Exit exit = Exit::ok;
  const auto actor =
      ask_daemon(call, "actor.inspect", {{"path", call.operands.front()}}, timers_shape(), exit);
  if (!actor) return exit;
  const Json& all = actor->at("timers");
  if (call.is_json()) {
    Json told = {{"path", text_at(*actor, "path")},
                 {"timers", all},
                 {"timers_count", number_at(*actor, "timers_count")}};
    if (actor->contains("receive_timeout_ms"))
      told["receive_timeout_ms"] = number_at(*actor, "receive_timeout_ms");
    print_json(call.out, told);
  } else if (all.empty() && !actor->contains("receive_timeout_ms")) {
    call.err << text_at(*actor, "path") << " has no timers\n";
  } else {
    print(call.out, all, *actor);
  }
  return exit;
}

}  // namespace

Verb timers_verb() {
  Verb verb{
      .group = {},
      .name = "timers",
      .summary = "list the timers of an actor",
      .description =
          "Lists the timers that an actor has set for itself: their keys, the messages that they\n"
          "send to it, and when; and its receive timeout. Messages that were scheduled for it\n"
          "belong to no actor, and are not listed.\n"
          "\n"
          "  actorctl timers /user/crawler",
      .operands = {{.name = "PATH", .takes = Takes::running}},
      .options = {},
      .run = &timers};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
