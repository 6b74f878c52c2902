// SPDX-License-Identifier: Apache-2.0
#include "ctl/json_members.hpp"
#include "ctl/kept_messages.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const KeptList& letters() {
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
  static const KeptList list = {
      .verb = "deadletters.list",
      .member = "letters",
      .shape = shape,
      .if_empty = "no dead letters are kept",
      .columns = {{"ID"}, {"WHEN"}, {"REASON"}, {"TYPE"}, {"TO"}, {"FROM"}},
      .row = [](const Json& each) -> std::vector<std::string> {
        return {text_at(each, "id"),   local_time(each),           text_at(each, "reason"),
                text_at(each, "type"), text_at(each, "recipient"), text_at(each, "sender")};
      }};
  return list;
}

Exit list(const Call& call) {
  Json arguments = Json::object();
  if (!call.operands.empty()) arguments["path"] = call.operands.front();
  if (call.has("reason")) arguments["reason"] = call.value("reason");
  return print_kept(call, letters(), arguments);
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
          "not-translated (the plugin of the actor has the message in another layout), poison\n"
          "(it has killed the process of the actor twice, or did not fit into the quarantine) or\n"
          "no-routee (the router has no routees, or the message no key that chooses one).\n"
          "\n"
          "  actorctl deadletters list\n"
          "  actorctl deadletters list /user/shop --reason mailbox-full -n all",
      .operands = {{.name = "PATH", .takes = Takes::running, .is_needed = false}},
      .options = {{.name = "reason",
                   .takes = Takes::words,
                   .argument = "REASON",
                   .help = "only those that were not delivered for this reason",
                   .words = {"no-actor", "stopped", "mailbox-full", "backoff-full", "timeout",
                             "unhandled", "not-translated", "poison", "no-routee"}},
                  lines_option("show the last N, or all; default: 20")},
      .run = &list};
  return with_names(with_daemon_options(std::move(verb)));
}

}  // namespace actord::ctl
