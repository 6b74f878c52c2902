// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "base/duration_text.hpp"
#include "ctl/actor_order.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/quantity_option.hpp"
#include "ctl/text_table.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::int64_t ns_per_ms = 1'000'000;

const AnswerShape& levels_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {
      {"level", Form::text, {}, true},
      {"actors",
       Form::objects,
       {{"path", Form::text, {}, true}, {"level", Form::text, {}, true}, {"left_ms", Form::number}},
       true}};
  return shape;
}

Exit list(const Call& call) {
  Exit exit = Exit::ok;
  const auto levels = ask_daemon(call, "log.levels", Json::object(), levels_shape(), exit);
  if (!levels) return exit;
  if (call.is_json()) {
    print_json(call.out, *levels);
    return exit;
  }
  TextTable table({{"PATH"}, {"LEVEL"}, {"FOR"}});
  table.add({"the log", text_at(*levels, "level"), ""});
  for (const Json& each : levels->at("actors")) {
    const auto left_s = static_cast<std::int64_t>(number_at(each, "left_ms") / 1000);
    table.add({text_at(each, "path"), text_at(each, "level"),
               each.contains("left_ms") ? base::duration_text(left_s * 1000 * ns_per_ms)
                                        : "as long as actord runs"});
  }
  table.print(call.out);
  return exit;
}

Exit loglevel(const Call& call) {
  if (call.operands.empty()) return list(call);
  if (call.operands.size() == 1)
    return report_failure(call, {Exit::usage, "loglevel needs a level for " + call.operands[0],
                                 "error, warning, info, debug or default"});
  Exit exit = Exit::ok;
  const std::string time = call.value("for", "10m");
  Json arguments = {{"path", call.operands[0]}, {"level", call.operands[1]}};
  if (time != "infinite" && call.operands[1] != "default") {
    using namespace std::chrono_literals;
    const auto duration = duration_option(
        call, "for", 10min,
        {.least = 1ms, .help = "write a duration with its unit, 10m, or infinite"}, exit);
    if (!duration) return exit;
    arguments["for_ms"] = *duration / 1ms;
  }
  if (call.has("reason")) arguments["reason"] = call.value("reason");
  const auto result = order_actor(call, "log.set-level", std::move(arguments), exit);
  if (!result || call.is_json()) return exit;
  const std::string path = result->value("path", ""), outcome = result->value("outcome", "");
  if (outcome == "reset") call.out << path << " logs at the level of the log again\n";
  else if (outcome == "unchanged") call.out << path << " had no level of its own\n";
  else
    call.out << path << " and all below it log at level " << outcome
             << (time == "infinite" ? "" : " for " + time) << '\n';
  return exit;
}

}  // namespace

Verb loglevel_verb() {
  Verb verb{
      .group = {},
      .name = "loglevel",
      .summary = "let one part of the tree log more, or less, for some time",
      .description =
          "Gives an actor and all below it a level of the log of their own, in place of\n"
          "actord.log.level, and takes it back after some time; the level default takes it back\n"
          "at once. The longest path decides. Without arguments it lists the levels.\n"
          "\n"
          "  actorctl loglevel /user/crawler debug --for 5m\n"
          "  actorctl loglevel /user/crawler default\n"
          "  actorctl loglevel",
      .operands = {{.name = "PATH", .takes = Takes::running, .is_needed = false},
                   {.name = "LEVEL",
                    .takes = Takes::words,
                    .words = {"error", "warning", "info", "debug", "default"},
                    .is_needed = false}},
      .options = {{.name = "for",
                   .takes = Takes::text,
                   .argument = "DURATION",
                   .help = "how long it holds, or infinite; default: 10m"},
                  reason_option()},
      .run = &loglevel};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
