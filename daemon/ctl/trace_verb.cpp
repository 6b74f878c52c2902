// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <ostream>
#include <thread>

#include "ctl/actor_order.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/quantity_option.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::uint64_t count_max = 10'000;
constexpr std::chrono::milliseconds interval{200};  // between two looks at the log

void print(const Call& call, const Json& line) {
  if (call.is_json()) {
    call.out << json_text(line) << '\n';
    return;
  }
  call.out << local_time(line) << ' ' << text_at(line, "message.type") << ' '
           << text_at(line, "message.content");
  const std::string sender = text_at(line, "message.sender");
  call.out << (sender.empty() ? "" : " from " + sender) << '\n';
}

Exit trace(const Call& call) {
  Exit exit = Exit::ok;
  const auto count = number_option(call, "count", 10, {0, count_max}, exit);
  if (!count) return exit;
  const std::string& path = call.operands.front();
  LogQuery query(Json{{"events", {"actor.traced"}}, {"actor", path}});
  if (!query.last(call, 0, exit)) return exit;  // what was traced before
  Json arguments = order_arguments(call);
  arguments["count"] = *count;
  static const AnswerShape shape = {{"outcome", MemberShape::Form::text, {}, true}};
  if (!ask_daemon(call, "actor.trace", std::move(arguments), shape, exit)) return exit;
  std::uint64_t left = *count;
  const auto take = [&](const Json& line) {
    if (text_at(line, "actor.path") != path) return;
    print(call, line);
    left = number_at(line, "left");
  };
  while (left != 0 && call.out.flush()) {
    std::this_thread::sleep_for(interval);
    if (!query.read(call, take, exit)) break;
  }
  return exit;
}

}  // namespace

Verb trace_verb() {
  Verb verb{
      .group = {},
      .name = "trace",
      .summary = "show the next messages that an actor handles",
      .description =
          "Has the next messages of an actor logged when it begins to handle them, and prints\n"
          "them: the time, the type, the content and the sender. Members that the type calls\n"
          "secret are not shown. It ends after --count messages; after ^C the daemon still logs\n"
          "those that are left, unless `--count 0` takes it back. A line in the log may be lost\n"
          "where very many come at once.\n"
          "\n"
          "  actorctl trace /user/crawler\n"
          "  actorctl trace /user/crawler --count 100\n"
          "  actorctl trace /user/crawler --count 0",
      .operands = {{.name = "PATH", .takes = Takes::running}},
      .options = {{.name = "count",
                   .takes = Takes::text,
                   .argument = "N",
                   .help = "show N messages, at most 10000; default: 10. 0: no more"},
                  reason_option()},
      .run = &trace};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
