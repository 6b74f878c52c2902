// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/text_table.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t letters_default = 20;

const AnswerShape& letters_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"letters",
                                     Form::objects,
                                     {{"id", Form::text, {}, true},
                                      {"ts", Form::text, {}, true},
                                      {"reason", Form::text, {}, true},
                                      {"type", Form::text, {}, true},
                                      {"recipient", Form::text, {}, true},
                                      {"sender"}},
                                     true},
                                    {"next", Form::number}};
  return shape;
}

/// All that the daemon keeps, the oldest first.
std::optional<std::vector<Json>> all_letters(const Call& call, Exit& exit) {
  Json arguments = Json::object();
  if (!call.operands.empty()) arguments["path"] = call.operands.front();
  if (call.has("reason")) arguments["reason"] = call.value("reason");
  std::vector<Json> letters;
  for (;;) {
    const auto part = ask_daemon(call, "deadletters.list", arguments, letters_shape(), exit);
    if (!part) return std::nullopt;
    const Json& found = part->at("letters");
    letters.insert(letters.end(), found.begin(), found.end());
    const std::uint64_t next = number_at(*part, "next");
    if (next <= number_at(arguments, "after")) return letters;
    arguments["after"] = next;
  }
}

Exit list(const Call& call) {
  Exit exit = Exit::ok;
  const auto most = lines_wanted(call, letters_default, exit);
  if (!most) return exit;
  const auto all = all_letters(call, exit);
  if (!all) return exit;
  const std::vector<Json> letters(
      all->end() - static_cast<std::ptrdiff_t>(std::min(*most, all->size())), all->end());
  if (call.is_json()) {
    for (const Json& each : letters) call.out << json_text(each) << '\n';
  } else if (call.is_names()) {
    for (const Json& each : letters) call.out << text_at(each, "id") << '\n';
  } else if (letters.empty()) {
    call.err << "no dead letters are kept\n";
  } else {
    TextTable table({{"ID"}, {"WHEN"}, {"REASON"}, {"TYPE"}, {"TO"}, {"FROM"}});
    for (const Json& each : letters)
      table.add({text_at(each, "id"), local_time(each), text_at(each, "reason"),
                 text_at(each, "type"), text_at(each, "recipient"), text_at(each, "sender")});
    table.print(call.out);
  }
  return exit;
}

}  // namespace

Verb dead_letter_list_verb() {
  Verb verb{
      .group = "deadletters",
      .name = "list",
      .summary = "show which messages were not delivered",
      .description =
          "Lists the newest messages that no handler received, the oldest of them first: when,\n"
          "why, their types, to whom and from whom. With PATH only those to that actor and the\n"
          "actors below it. The daemon keeps them with their content, as many as fit into\n"
          "actord.dead-letters.history-size, until it ends. The reasons: no-actor, stopped (the\n"
          "actor has ended), mailbox-full, backoff-full (the same while it waits to restart),\n"
          "timeout (an answer that came too late), unhandled (the actor has no handler for it),\n"
          "not-translated (the plugin of the actor has the message in another layout) or poison\n"
          "(it has killed the process of the actor twice).\n"
          "\n"
          "  actorctl deadletters list\n"
          "  actorctl deadletters list /user/shop --reason mailbox-full -n all",
      .operands = {{.name = "PATH", .takes = Takes::running, .is_needed = false}},
      .options = {{.name = "reason",
                   .takes = Takes::words,
                   .argument = "REASON",
                   .help = "only those that were not delivered for this reason",
                   .words = {"no-actor", "stopped", "mailbox-full", "backoff-full", "timeout",
                             "unhandled", "not-translated", "poison"}},
                  lines_option("show the last N, or all; default: 20")},
      .run = &list};
  return with_names(with_daemon_options(std::move(verb)));
}

}  // namespace actord::ctl
