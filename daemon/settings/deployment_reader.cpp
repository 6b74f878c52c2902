// SPDX-License-Identifier: Apache-2.0
#include "settings/deployment_reader.hpp"

#include <algorithm>
#include <array>

#include "actor/path.hpp"
#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"
#include "settings/isolation_reader.hpp"
#include "settings/mailbox_reader.hpp"
#include "settings/misleading_values.hpp"
#include "settings/on_failure_reader.hpp"
#include "settings/router_reader.hpp"
#include "settings/strategy_reader.hpp"
#include "settings/user_tree.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

struct Pattern {
  std::vector<std::string_view> segments;  // below /user
  Value value;

  // Patterns are ordered by the number of names, then of names with * or ?, then of characters
  // written out in these, then of stars, then whether they end without **. If two of equal weight
  // match one path, both end in ** or neither does, and they have equally many segments.
  std::array<std::ptrdiff_t, 5> weight() const {
    std::ptrdiff_t names = 0, globs = 0, characters = 0, stars = 0;
    const bool is_open = segments.back() == "**";
    for (const std::string_view each : segments) {
      if (each == "**") continue;
      if (each == "*") {
        ++stars;
      } else if (actor::is_pattern(each)) {
        ++globs;
        characters += std::ranges::count_if(each, [](char c) { return c != '*' && c != '?'; });
      } else {
        ++names;
      }
    }
    return {names, globs, characters, stars, is_open ? 0 : 1};
  }
};

// Each is compared with each.
constexpr std::size_t patterns_max = 1000;

// What is wrong with a segment, and how to correct it; empty: nothing.
std::pair<std::string, std::string> why_segment_is_wrong(std::string_view segment, bool is_last) {
  if (segment == "**" && is_last) return {};
  if (segment.empty()) return {"an empty name in the path", {}};
  if (segment == "**")
    return {"** may stand only at the end of a path", "write one * for each level"};
  std::string name{segment};
  for (const char wildcard : {'*', '?'}) std::ranges::replace(name, wildcard, 'x');
  return {actor::why_name_is_invalid(name), {}};
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
                    [](auto x, auto y) {
                      const bool is_rest = x == "**" || y == "**";
                      return is_rest ? x == y : actor::segments_meet(x, y);
                    });
}

// The pattern of all paths that both patterns match; none if it takes several patterns.
std::optional<std::string> common_path(const Pattern& a, const Pattern& b) {
  std::string path = "/user";
  for (std::size_t i = 0; i < a.segments.size(); ++i) {
    const std::string_view x = a.segments[i], y = b.segments[i];
    const bool is_y = x == "*" || !actor::is_pattern(y);
    if (!is_y && x != y && y != "*" && actor::is_pattern(x)) return std::nullopt;
    path.append("/").append(is_y ? y : x);
  }
  return path;
}

void reject_tie(Findings& findings, const Pattern& a, const Pattern& b,
                const std::optional<std::string>& common) {
  const std::string help = "make one of the two more specific";
  hocon::Diagnostic tie =
      at_key(b.value.reject("deployment patterns \"" + std::string{a.value.key()} + "\" and \"" +
                                std::string{b.value.key()} + "\" both match " +
                                common.value_or("some paths") + ", and neither is more specific",
                            common ? "add a rule \"" + *common + "\", or " + help : help),
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
  read_mailbox(block, rule.options);
  read_isolation(block, rule.options);
  read_on_failure(block, rule.options);
  read_router(block, rule.options);
  block.read("ask-fails-with-handler", rule.options.asks_fail);
  block.read("stash-capacity", rule.options.stash_capacity, schema::capacity_words);
  block.finish({{"mailbox-capacity", "mailbox.capacity"}});
  return rule;
}

}  // namespace

std::vector<actor::Deployment> read_deployments(ObjectReader deployment) {
  Findings& findings = deployment.findings();
  std::vector<std::pair<Pattern, actor::Deployment>> all;
  const std::vector<hocon::Member> members = deployment.take_all();
  if (members.size() > patterns_max) {
    findings.add(members[patterns_max].value.reject(
        "more than " + std::to_string(patterns_max) + " deployment patterns",
        "each spawn looks through them; set options of single actors in actord.user"));
    return {};
  }
  for (const hocon::Member& member : members) {
    if (findings.is_full()) break;
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
      const std::optional<std::string> common = common_path(first, second);
      if (!common || !deployment.object().member(*common))
        reject_tie(findings, first, second, common);
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
