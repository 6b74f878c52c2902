// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "base/counted.hpp"
#include "ctl/failure_groups.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/text_table.hpp"
#include "ctl/titled_lines.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t lines_default = 20;

void print_groups(const Call& call, const FailureGroups& groups, std::string_view by) {
  for (const auto& [key, group] : sorted(groups)) {
    call.out << key << "  " << base::counted(group.count, "failure") << ": " << verdicts_of(group)
             << '\n';
    if (by != "cause") call.out << "  cause   " << listed(group.causes) << '\n';
    if (by != "actor") call.out << "  actors  " << listed(group.actors) << '\n';
    call.out << "  last    " << local_time(group.last);
    const std::string id = text_at(group.last, "failure.id");
    const std::string summed = text_at(group.last, "last.id");
    if (const std::string& last = id.empty() ? summed : id; !last.empty()) call.out << "  " << last;
    if (const std::string what = text_at(group.last, "failure.message"); !what.empty())
      call.out << "  " << what;
    call.out << '\n';
  }
}

void print_keys(std::ostream& out, const FailureGroups& groups) {
  for (const auto& [key, group] : sorted(groups)) out << key << '\n';
}

/// The id of the failure, or the first and the last one of a sum.
void print_ids(std::ostream& out, const Json& line) {
  for (const char* path : {"failure.id", "first.id", "last.id"}) {
    if (const std::string id = text_at(line, path); !id.empty()) out << id << '\n';
  }
}

/// "restart", with what the rule had said if the limit did not allow that.
std::string verdict_of(const Json& line) {
  const std::string denied = text_at(line, "decision.denied");
  return text_at(line, "decision.directive") + (denied.empty() ? "" : ", not " + denied);
}

/// One row for each failure, and for each sum.
void print_table(const Call& call, const std::vector<Json>& lines, std::size_t first) {
  std::vector<TextTable::Column> columns = {{"WHEN"}, {"ID"}, {"ACTOR"}, {"CAUSE"}, {"VERDICT"}};
  if (call.is_wide())
    columns.insert(columns.end(), {{"MESSAGE"}, {"SUPERVISOR"}, {"RULE"}, {"ORIGIN"}, {"TEXT"}});
  TextTable table(std::move(columns));
  for (std::size_t i = first; i < lines.size(); ++i) {
    const Json& line = lines[i];
    const std::string id = text_at(line, "failure.id");
    std::string cause = text_at(line, "failure.type");
    if (const std::uint64_t more = number_at(line, "count"); more != 0)
      cause += ", " + std::to_string(more) + " more";
    std::vector<std::string> row = {local_time(line), id.empty() ? text_at(line, "last.id") : id,
                                    text_at(line, "actor.path"), cause, verdict_of(line)};
    if (call.is_wide())
      row.insert(row.end(),
                 {text_at(line, "message.type"), text_at(line, "supervisor.path"),
                  text_at(line, "decision.rule"), text_at(line, "decision.config_origin"),
                  in_one_line(text_at(line, "failure.message"))});
    table.add(std::move(row));
  }
  if (!table.is_empty()) table.print(call.out);
}

/// One line for each failure, and for each sum.
void print_failures(const Call& call, const std::vector<Json>& lines, std::size_t most) {
  LogText text(call.out, call.terminal);
  const std::size_t first = lines.size() - std::min(lines.size(), most);
  if (call.is_table()) return print_table(call, lines, first);
  for (std::size_t i = first; i < lines.size(); ++i) {
    if (call.is_json()) call.out << json_text(lines[i]) << '\n';
    else if (call.is_names()) print_ids(call.out, lines[i]);
    else text.print(lines[i]);
  }
}

Exit failures(const Call& call) {
  Exit exit = Exit::ok;
  const auto most = lines_wanted(call, lines_default, exit);
  if (!most) return exit;
  Json filter = {{"events", {"actor.failed", "log.suppressed"}}};
  if (!add_scope(call, filter, exit)) return exit;
  auto lines = LogQuery(std::move(filter)).last(call, SIZE_MAX, exit);
  if (!lines) return exit;
  std::erase_if(*lines, [](const Json& line) { return !is_of_failures(line); });
  if (call.has("by")) {
    const std::string by = call.value("by");
    const FailureGroups groups = failure_groups(*lines, by);
    if (call.is_json()) print_json(call.out, json_of(groups, by));
    else if (call.is_names()) print_keys(call.out, groups);
    else print_groups(call, groups, by);
  } else {
    print_failures(call, *lines, *most);
  }
  if (lines->empty() && !call.is_json()) call.err << "no actor has failed\n";
  return exit;
}

}  // namespace

Verb failures_verb() {
  Verb verb{
      .group = {},
      .name = "failures",
      .summary = "show which actors failed, why, and what was decided",
      .description =
          "Lists the failures that the daemon knows of, those of earlier runs included: the\n"
          "actor, the cause, the verdict and the rule behind it, and the id, which `actorctl\n"
          "story` takes. With PATH only those of that actor and the actors below it. --by\n"
          "counts them instead. Where one failure comes often, the log has its number only\n"
          "(actord.log.failure-burst), and so has this list.\n"
          "\n"
          "  actorctl failures\n"
          "  actorctl failures --since 24h --by cause\n"
          "  actorctl failures /user/crawler -n all -o wide",
      .operands = {{.name = "PATH", .takes = Takes::running, .is_needed = false}},
      .options = {{.name = "by",
                   .takes = Takes::words,
                   .argument = "WHAT",
                   .help = "count them by cause, actor or plugin, the most frequent first",
                   .words = {"cause", "actor", "plugin"}},
                  since_option(),
                  lines_option("show the last N failures, or all; default: 20")},
      .run = &failures};
  return with_tables(with_names(with_daemon_options(std::move(verb))));
}

}  // namespace actord::ctl
