// SPDX-License-Identifier: Apache-2.0
#include "settings/deployment_reader.hpp"

#include <algorithm>
#include <tuple>

#include "actor/path.hpp"
#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"
#include "settings/misleading_values.hpp"
#include "settings/strategy_reader.hpp"
#include "settings/user_tree.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

struct Pattern {
  std::vector<std::string_view> segments;  // below /user; "*" matches any name
  Value value;

  // Patterns are ordered by the number of names, then of stars, then whether they end without **.
  // If two of equal weight match one path, both end in ** or neither does, and they have equally
  // many segments.
  std::tuple<std::ptrdiff_t, std::ptrdiff_t, bool> weight() const {
    const std::ptrdiff_t stars = std::count(segments.begin(), segments.end(), "*");
    const bool is_open = segments.back() == "**";
    return {std::ssize(segments) - stars - (is_open ? 1 : 0), stars, !is_open};
  }
};

// What is wrong with a segment, and how to correct it; empty: nothing.
std::pair<std::string, std::string> why_segment_is_wrong(std::string_view segment, bool is_last) {
  if (segment == "*" || (segment == "**" && is_last)) return {};
  if (segment.empty()) return {"an empty name in the path", {}};
  if (segment == "**")
    return {"** may stand only at the end of a path", "write one * for each level"};
  if (segment.find('*') != segment.npos)
    return {"* stands for a whole name", "name the actor, or match all of that level with *"};
  return {actor::why_name_is_invalid(segment), {}};
}

std::optional<Pattern> read_pattern(Findings& findings, const hocon::Member& member) {
  const auto reject = [&](std::string reason, std::string help) {
    findings.add(
        at_key(member.value.reject("deployment \"" + std::string{member.key} + "\": " + reason,
                                   std::move(help)),
               member.key));
    return std::nullopt;
  };
  constexpr std::string_view user = "/user/";
  if (!member.key.starts_with(user)) {
    const std::string slash = member.key.starts_with('/') ? "" : "/";
    const std::string start = member.key.starts_with(user.substr(1)) ? "" : "/user";
    return reject("paths begin with /user/",
                  "write \"" + start + slash + std::string{member.key} + '"');
  }
  Pattern pattern{{}, member.value};
  std::string_view rest = member.key.substr(user.size());
  for (bool is_last = false; !is_last;) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    is_last = slash == rest.npos;
    if (auto [why, help] = why_segment_is_wrong(segment, is_last); !why.empty())
      return reject(why, help);
    pattern.segments.push_back(segment);
    rest.remove_prefix(is_last ? rest.size() : slash + 1);
  }
  return pattern;
}

bool can_match_one_path(const Pattern& a, const Pattern& b) {
  return std::equal(a.segments.begin(), a.segments.end(), b.segments.begin(), b.segments.end(),
                    [](auto x, auto y) { return x == y || x == "*" || y == "*"; });
}

// The pattern of all paths that both patterns match.
std::string common_path(const Pattern& a, const Pattern& b) {
  std::string path = "/user";
  for (std::size_t i = 0; i < a.segments.size(); ++i)
    path.append("/").append(a.segments[i] == "*" ? b.segments[i] : a.segments[i]);
  return path;
}

void reject_tie(Findings& findings, const Pattern& a, const Pattern& b) {
  const std::string path = common_path(a, b);
  hocon::Diagnostic tie =
      at_key(b.value.reject("deployment patterns \"" + std::string{a.value.key()} + "\" and \"" +
                                std::string{b.value.key()} + "\" both match " + path +
                                ", and neither is more specific",
                            "add a rule \"" + path + "\", or make one of the two more specific"),
             b.value.key());
  tie.code = schema::codes::conflict;
  tie.note = "the other one is at " + a.value.origin_text();
  findings.add(std::move(tie));
}

actor::Deployment read_rule(Findings& findings, const hocon::Member& member,
                            const schema::SettingKey& key) {
  ObjectReader block(findings, member.value, key);
  actor::Deployment rule;
  rule.pattern = member.key;
  if (const Value strategy = block.take("supervisor-strategy")) {
    rule.options.strategy = read_strategy(findings, strategy, HasCode::yes);
    if (rule.options.strategy) warn_of_strategy(findings, strategy, *rule.options.strategy);
  }
  read_dispatcher(block, rule.options.dispatcher);
  read_mailbox(block, rule.options.mailbox_capacity);
  block.read("stash-capacity", rule.options.stash_capacity, schema::capacity_words);
  block.finish({{"mailbox-capacity", "mailbox.capacity"}});
  return rule;
}

}  // namespace

std::vector<actor::Deployment> read_deployments(ObjectReader deployment) {
  Findings& findings = deployment.findings();
  std::vector<std::pair<Pattern, actor::Deployment>> all;
  for (const hocon::Member& member : deployment.take_all()) {
    auto pattern = read_pattern(findings, member);
    actor::Deployment rule = read_rule(findings, member, deployment.key("*"));
    if (!pattern) continue;
    all.emplace_back(std::move(*pattern), std::move(rule));
  }
  // Two patterns of equal weight that match one path need a third rule for their common paths.
  for (std::size_t b = 1; b < all.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const Pattern &first = all[a].first, &second = all[b].first;
      if (first.weight() != second.weight() || !can_match_one_path(first, second)) continue;
      if (!deployment.object().member(common_path(first, second)))
        reject_tie(findings, first, second);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.first.weight() > b.first.weight();
  });
  std::vector<actor::Deployment> deployments;
  for (auto& [pattern, rule] : all) deployments.push_back(std::move(rule));
  return deployments;
}

}  // namespace actord::settings
