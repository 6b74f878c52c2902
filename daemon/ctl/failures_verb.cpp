// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "base/counted.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"
#include "ctl/log_text.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t lines_default = 20;
constexpr std::size_t names_shown = 3;

/// Failures that are counted together.
struct Group {
  std::uint64_t count = 0;
  std::set<std::string> actors, causes;
  std::map<std::string, std::uint64_t> directives;
  Json last;  // the line of the last failure, or of a sum of failures
};
using Groups = std::map<std::string, Group>;

/// How many failures a line stands for: the log writes frequent ones as sums.
std::uint64_t count_of(const Json& line) {
  return text_at(line, "event") == "actor.failed" ? 1 : number_at(line, "count");
}

bool is_of_failures(const Json& line) {
  return text_at(line, "event") == "actor.failed" || text_at(line, "of") == "actor.failed";
}

std::string plugin_of(const Json& line) {
  const std::string behaviour = text_at(line, "actor.behaviour");
  return behaviour.substr(0, behaviour.find('/'));
}

/// A sum over several actors tells their behaviour only.
std::string actor_of(const Json& line) {
  const std::string path = text_at(line, "actor.path");
  return path.empty() ? "(" + text_at(line, "actor.behaviour") + ')' : path;
}

std::string key_of(const Json& line, std::string_view by) {
  if (by == "actor") return actor_of(line);
  return by == "plugin" ? plugin_of(line) : text_at(line, "failure.type");
}

Groups grouped(const std::vector<Json>& lines, std::string_view by) {
  Groups groups;
  for (const Json& line : lines) {
    Group& group = groups[key_of(line, by)];
    group.count += count_of(line);
    if (const std::string path = text_at(line, "actor.path"); !path.empty())
      group.actors.insert(path);
    group.causes.insert(text_at(line, "failure.type"));
    group.directives[text_at(line, "decision.directive")] += count_of(line);
    group.last = line;
  }
  return groups;
}

template <class Set>
std::string listed(const Set& names) {
  std::string text;
  std::size_t n = 0;
  for (const std::string& name : names) {
    if (n++ == names_shown) break;
    text += (text.empty() ? "" : ", ") + name;
  }
  if (names.size() > names_shown)
    text += " and " + std::to_string(names.size() - names_shown) + " more";
  return text;
}

std::string verdicts_of(const Group& group) {
  std::string text;
  for (const auto& [directive, count] : group.directives)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + directive;
  return text;
}

/// The groups, the one with the most failures first.
std::vector<std::pair<std::string, Group>> sorted(Groups groups) {
  std::vector<std::pair<std::string, Group>> all(groups.begin(), groups.end());
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const auto& each) { return each.second.count; });
  return all;
}

void print_groups(const Call& call, const Groups& groups, std::string_view by) {
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

Json json_of(const Groups& groups, std::string_view by) {
  Json list = Json::array();
  for (const auto& [key, group] : sorted(groups)) {
    Json directives = Json::object();
    for (const auto& [directive, count] : group.directives) directives[directive] = count;
    list.push_back({{std::string{by}, key},
                    {"count", group.count},
                    {"verdicts", std::move(directives)},
                    {"causes", group.causes},
                    {"actors", group.actors},
                    {"last", group.last}});
  }
  return list;
}

/// One line for each failure, and for each sum.
void print_failures(const Call& call, const std::vector<Json>& lines, std::size_t most) {
  LogText text(call.out);
  const std::size_t first = lines.size() - std::min(lines.size(), most);
  for (std::size_t i = first; i < lines.size(); ++i) {
    if (call.is_json()) call.out << json_text(lines[i]) << '\n';
    else text.print(lines[i]);
  }
}

Exit failures(const Call& call) {
  Exit exit = Exit::ok;
  const auto since = since_ms(call, exit);
  if (!since) return exit;
  const auto most = lines_wanted(call, lines_default, exit);
  if (!most) return exit;
  Json filter = {{"events", {"actor.failed", "log.suppressed"}}};
  if (*since != 0) filter["since_ms"] = *since;
  if (!call.operands.empty()) filter["actor"] = call.operands.front();
  auto lines = LogQuery(std::move(filter)).last(call, SIZE_MAX, exit);
  if (!lines) return exit;
  std::erase_if(*lines, [](const Json& line) { return !is_of_failures(line); });
  if (call.has("by")) {
    const std::string by = call.value("by");
    const Groups groups = grouped(*lines, by);
    if (call.is_json()) print_json(call.out, json_of(groups, by));
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
          "  actorctl failures /user/crawler -n all",
      .operands = {{.name = "PATH", .takes = Takes::actor, .is_needed = false}},
      .options = {{.name = "by",
                   .takes = Takes::words,
                   .argument = "WHAT",
                   .help = "count them by cause, actor or plugin, the most frequent first",
                   .words = {"cause", "actor", "plugin"}},
                  since_option(),
                  lines_option("show the last N failures, or all; default: 20")},
      .run = &failures};
  return with_daemon_options(std::move(verb));
}

}  // namespace actord::ctl
