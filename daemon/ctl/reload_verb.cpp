// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <ostream>

#include "config/json_forms.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_output.hpp"
#include "ctl/plan_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const AnswerShape& answer_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"outcome", Form::text, {}, true},
                                    {"generation", Form::number, {}, true},
                                    {"forced", Form::flag},
                                    {"plan", Form::object, {{"steps", Form::objects}}},
                                    {"pending", Form::texts},
                                    {"lost", Form::texts},
                                    {"late", Form::texts},
                                    {"findings", Form::objects}};
  return shape;
}

/// Prints a list of the reply on one line, unless it is empty: "needs a restart of actord: a, b".
void print_list(const Call& call, const Json& result, const char* name, std::string_view what) {
  const auto list = result.find(name);
  if (list == result.end() || list->empty()) return;
  call.out << what;
  for (const Json& each : *list)
    call.out << (&each == &list->front() ? ": " : ", ") << each.get<std::string>();
  const auto beyond = result.find(name + std::string{"_left_out"});
  if (beyond != result.end()) call.out << " ... and " << *beyond << " more";
  call.out << '\n';
}

void print_changes(const Call& call, const Json& result) {
  call.out << plan_text(result.value("plan", Json{}));
  print_list(call, result, "pending", "needs a restart of actord");
  print_list(call, result, "lost", "could not be created");
  print_list(call, result, "late", "has not applied it yet");
}

void print_text(const Call& call, const Json& result) {
  const std::string outcome = result.value("outcome", "");
  const std::string generation = result.value("generation", Json{}).dump();
  call.err << hocon::format(config::findings_of(result.value("findings", Json{})));
  print_changes(call, result);
  if (outcome == "unchanged") {
    call.out << "nothing has changed; generation " << generation << " stays\n";
    if (result.value("forced", false))
      call.out << (call.has("dry-run")
                       ? "with --force every actor would get the configuration again\n"
                       : "forced: every actor got the configuration again\n");
  } else if (outcome == "retried")
    call.out << "nothing has changed, and these actors were started again; generation "
             << generation << " stays\n";
  else if (outcome == "planned")
    call.out << "dry run: a reload would do this, and nothing was changed\n";
  else if (outcome == "applied")
    call.out << "reloaded; the new generation is " << generation << '\n';
}

/// Whether the client waits for the end of the reload; nullopt after an error message if two
/// options contradict each other.
std::optional<bool> is_waiting(const Call& call) {
  if (!call.has("no-wait")) return true;
  for (const char* const other : {"wait", "dry-run"}) {
    if (!call.has(other)) continue;
    call.err << "actorctl config reload: --no-wait and --" << other
             << " cannot be combined\n"
                "  without an option, the reload is waited for\n";
    return std::nullopt;
  }
  return false;
}

void print_accepted(const Call& call) {
  if (call.is_json()) return print_json(call.out, Json{{"outcome", "accepted"}});
  call.out << "the daemon has accepted the request; its log tells the result, as config.reloaded\n"
              "or config.rejected\n";
}

Exit reload(const Call& call) {
  const auto waits = is_waiting(call);
  if (!waits) return Exit::usage;
  Exit exit = Exit::ok;
  auto client = connect(call, exit);
  if (!client) return exit;
  Json arguments = Json::object();
  if (call.has("dry-run")) arguments["dry_run"] = true;
  if (call.has("all-or-nothing")) arguments["all_or_nothing"] = true;
  if (call.has("force")) arguments["force"] = true;
  const auto reply = client->ask("config.reload", std::move(arguments), answer_shape(),
                                 [&](const Json&) { return *waits; });
  if (!check_reply(call, reply, exit)) {
    if (reply && !call.is_json() && reply->result.is_object()) print_changes(call, reply->result);
    return exit;
  }
  const Json& result = reply->result;
  if (result.is_null()) print_accepted(call);
  else if (call.is_json()) print_json(call.out, result);
  else print_text(call, result);
  return exit;
}

}  // namespace

Verb reload_verb() {
  Verb verb{.group = "config",
            .name = "reload",
            .summary = "reload the configuration of the daemon",
            .description =
                "Asks the daemon to read its files again and to apply what has changed, waits for\n"
                "the end, and prints what was done. If the configuration has an error, the whole\n"
                "reload is rejected, the running configuration stays, the errors are printed, and\n"
                "the exit status is that of config check. Otherwise the changes apply, except\n"
                "keys that need a restart of actord, and new actors that could not be created;\n"
                "the answer names both. For such an actor the exit status is 75, for a key it\n"
                "is 0.\n"
                "\n"
                "Actors that are gone because of a failure are started again, even if nothing has\n"
                "changed. Those that have ended by themselves stay away: see actorctl start.",
            .operands = {},
            .options = {{.name = "no-wait",
                         .help = "exit when the daemon has accepted the request; whether the\n"
                                 "configuration is accepted is in the daemon's log alone"},
                        {.name = "wait", .help = "wait for the end, which is the default"},
                        {.name = "dry-run",
                         .help = "print what a reload would change, and change nothing"},
                        {.name = "all-or-nothing",
                         .help = "change nothing if part of it needs a restart of actord"},
                        {.name = "force",
                         .help = "reload even if nothing has changed: every actor gets the\n"
                                 "configuration again, and all that have ended are started"}},
            .run = &reload};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
