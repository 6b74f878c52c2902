// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/crash_text.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_text.hpp"
#include "ctl/text_table.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& crashes_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"crashes",
                                     Form::objects,
                                     {{"id", Form::text, {}, true},
                                      {"ts", Form::text, {}, true},
                                      {"signal"},
                                      {"call"},
                                      {"actor", Form::object, {{"path"}}},
                                      {"plugin", Form::object, {{"name"}, {"file"}}},
                                      {"charged"},
                                      {"is_quarantined", Form::flag}},
                                     true}};
  return shape;
}

Exit list_crashes(const Call& call) {
  Exit exit = Exit::ok;
  const auto answer = ask_daemon(call, "crash.list", Json::object(), crashes_shape(), exit);
  if (!answer) return exit;
  const Json& crashes = answer->at("crashes");
  if (call.is_json()) {
    for (const Json& each : crashes) call.out << json_text(each) << '\n';
  } else if (call.is_names()) {
    for (const Json& each : crashes) call.out << text_at(each, "id") << '\n';
  } else if (crashes.empty()) {
    call.err << "no crash of actord is known\n";
  } else {
    TextTable table({{"ID"}, {"WHEN"}, {"BY"}, {"ACTOR"}, {"PLUGIN"}, {"CHARGED"}});
    for (const Json& each : crashes) {
      const std::string plugin = text_at(each, "plugin.name");
      table.add({text_at(each, "id"), local_time(each), end_of(each), text_at(each, "actor.path"),
                 plugin.empty() ? text_at(each, "plugin.file") : plugin, charge_of(each)});
    }
    table.print(call.out);
  }
  return exit;
}

}  // namespace

Verb crash_list_verb() {
  Verb verb{
      .group = "crash",
      .name = "list",
      .summary = "show when actord has crashed, and in which actor",
      .description =
          "Lists the crashes of actord that are kept, the oldest first: when, by which signal\n"
          "or call of exit(), in which actor and plugin, and what is charged with it: the\n"
          "configured actor, which fails with the crash at the next start of actord and is\n"
          "judged by its supervisor, or the plugin. With so many crashes as the setting\n"
          "actord.crashes.quarantine-after says it is in quarantine, which means that it is\n"
          "not started. actorctl start PATH ends the quarantine of an actor, and another build\n"
          "of its file that of a plugin.\n"
          "\n"
          "The records are files in the folder crash/ of the state directory, for when no\n"
          "daemon runs.\n"
          "\n"
          "  actorctl crash list\n"
          "  actorctl crash show 3ngc6k4e",
      .operands = {},
      .options = {},
      .run = &list_crashes};
  return with_names(with_daemon_options(std::move(verb)));
}

}  // namespace actord::ctl
