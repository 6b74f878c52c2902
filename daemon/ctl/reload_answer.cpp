// SPDX-License-Identifier: Apache-2.0
#include "ctl/reload_answer.hpp"

#include <ostream>

#include "config/json_forms.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/plan_text.hpp"

namespace actord::ctl {

using wire::Json;

const AnswerShape& reload_shape() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"outcome", Form::text, {}, true},
                                    {"generation", Form::number, {}, true},
                                    {"forced", Form::flag},
                                    {"plan", Form::object, {{"steps", Form::objects}}},
                                    {"pending", Form::texts},
                                    {"lost", Form::texts},
                                    {"late", Form::texts},
                                    {"confirm_ms", Form::number},
                                    {"findings", Form::objects}};
  return shape;
}

namespace {

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
  if (result.contains("confirm_ms"))
    call.out << "unless actorctl config confirm comes within " << duration_at(result, "confirm_ms")
             << ", the configuration before comes back\n";
}

}  // namespace

Exit report_reload(const Call& call, const base::Result<wire::Reply, NoAnswer>& reply) {
  Exit exit = Exit::ok;
  if (!check_reply(call, reply, exit)) {
    if (reply && !call.is_json() && reply->result.is_object()) print_changes(call, reply->result);
    return exit;
  }
  if (call.is_json()) print_json(call.out, reply->result);
  else print_text(call, reply->result);
  return exit;
}

}  // namespace actord::ctl
