// SPDX-License-Identifier: Apache-2.0
#include "ctl/failure_groups.hpp"

#include <algorithm>

#include "ctl/json_members.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t names_shown = 3;

std::uint64_t count_of(const Json& line) {
  return text_at(line, "event") == "actor.failed" ? 1 : number_at(line, "count");
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

}  // namespace

bool is_of_failures(const Json& line) {
  return text_at(line, "event") == "actor.failed" || text_at(line, "of") == "actor.failed";
}

FailureGroups failure_groups(const std::vector<Json>& lines, std::string_view by) {
  FailureGroups groups;
  for (const Json& line : lines) {
    if (!is_of_failures(line)) continue;
    FailureGroup& group = groups[key_of(line, by)];
    group.count += count_of(line);
    if (const std::string path = text_at(line, "actor.path"); !path.empty())
      group.actors.insert(path);
    group.causes.insert(text_at(line, "failure.type"));
    group.directives[text_at(line, "decision.directive")] += count_of(line);
    group.last = line;
  }
  return groups;
}

std::vector<std::pair<std::string, FailureGroup>> sorted(const FailureGroups& groups) {
  std::vector<std::pair<std::string, FailureGroup>> all(groups.begin(), groups.end());
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const auto& each) { return each.second.count; });
  return all;
}

std::string verdicts_of(const FailureGroup& group) {
  std::string text;
  for (const auto& [directive, count] : group.directives)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + directive;
  return text;
}

std::string listed(const std::set<std::string>& names) {
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

Json json_of(const FailureGroups& groups, std::string_view by) {
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

}  // namespace actord::ctl
