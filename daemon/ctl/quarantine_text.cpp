// SPDX-License-Identifier: Apache-2.0
#include "ctl/quarantine_text.hpp"

#include <ostream>

#include "ctl/json_members.hpp"
#include "ctl/log_text.hpp"
#include "ctl/verb_failure.hpp"

namespace actord::ctl {

using wire::Json;

const KeptList& quarantine_list() {
  using Form = MemberShape::Form;
  static const AnswerShape shape = {{"messages",
                                     Form::objects,
                                     {{"id", Form::text, {}, true},
                                      {"ts", Form::text, {}, true},
                                      {"type", Form::text, {}, true},
                                      {"recipient", Form::text, {}, true},
                                      {"attempts", Form::number, {}, true},
                                      {"cause"},
                                      {"sender"}},
                                     true},
                                    {"next", Form::number}};
  static const KeptList list = {
      .verb = "quarantine.list",
      .member = "messages",
      .shape = shape,
      .if_empty = "the quarantine of messages is empty",
      .columns = {{"ID"}, {"WHEN"}, {"TYPE"}, {"TO"}, {"ATTEMPTS"}, {"CAUSE"}},
      .row = [](const Json& each) -> std::vector<std::string> {
        return {text_at(each, "id"),
                local_time(each),
                text_at(each, "type"),
                text_at(each, "recipient"),
                std::to_string(number_at(each, "attempts")),
                text_at(each, "cause")};
      }};
  return list;
}

std::vector<Operand> quarantined_operands() {
  return {{.name = "ID", .takes = Takes::quarantined, .is_needed = false, .repeats = true}};
}

Option all_option(std::string_view help) { return {.name = "all", .help = help}; }

std::optional<std::vector<std::string>> ids_wanted(const Call& call, Exit& exit) {
  if (call.has("all") != call.operands.empty()) {
    exit = report_failure(call, {Exit::usage,
                                 call.operands.empty() ? "which message is meant?"
                                                       : "--all is meant for all, not for an ID",
                                 "name IDs that actorctl quarantine list shows, or --all"});
    return std::nullopt;
  }
  if (!call.has("all")) return call.operands;
  const auto messages = all_kept(call, quarantine_list(), Json::object(), exit);
  if (!messages) return std::nullopt;
  if (messages->empty() && !call.is_json()) call.err << quarantine_list().if_empty << '\n';
  std::vector<std::string> ids;
  for (const Json& each : *messages) ids.push_back(text_at(each, "id"));
  return ids;
}

}  // namespace actord::ctl
