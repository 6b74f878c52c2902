// SPDX-License-Identifier: Apache-2.0
#include "settings/findings.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "base/suggestion.hpp"
#include "base/utf8.hpp"
#include "schema/setting_codes.hpp"

namespace actord::settings {

namespace {

// maxRestarts, max_restarts and MAX-RESTARTS become the same text.
std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c != '-' && c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace

hocon::Diagnostics in_order(hocon::Diagnostics findings) {
  const auto position = [](const hocon::Diagnostic& d) {
    return std::tie(d.file, d.line, d.column);
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const auto& a, const auto& b) { return position(a) < position(b); });
  return findings;
}

void Findings::add(hocon::Diagnostic finding) {
  hocon::Diagnostics& findings = kept(finding.warning);
  if (findings.size() >= most) return;
  findings.push_back(std::move(finding));
  if (findings.size() == most)
    findings.back().note = std::to_string(most) + " of them are reported at once";
}

void Findings::add_unknown(const hocon::Member& member, std::string help) {
  const bool is_warning = unknown_ == UnknownKeys::warnings;
  if (kept(is_warning).size() >= most) return;
  hocon::Diagnostic finding =
      at_key(member.value.reject("unknown key \"" + member.value.path() + '"', std::move(help)),
             member.key);
  finding.code = schema::codes::unknown_key;
  finding.warning = is_warning;
  add(std::move(finding));
}

hocon::Diagnostics Findings::take_errors() { return in_order(std::move(errors_)); }
hocon::Diagnostics Findings::take_warnings() { return in_order(std::move(warnings_)); }

std::string_view meant_name(std::string_view word, const std::vector<std::string_view>& names) {
  const std::string wanted = folded(word);
  for (const std::string_view name : names) {
    if (folded(name) == wanted) return name;
  }
  return base::nearest_of(word, names);
}

std::string suggestion_for(std::string_view word, const std::vector<std::string_view>& names,
                           std::string_view introduction) {
  if (const std::string_view name = meant_name(word, names); !name.empty())
    return base::did_you_mean(name);
  return names.empty() ? std::string{} : std::string{introduction} + base::joined(names);
}

std::string suggestion_for_key(std::string_view key,
                               const std::vector<std::string_view>& siblings) {
  if (!meant_name(key, siblings).empty()) return suggestion_for(key, siblings);
  constexpr std::size_t paths_shown_max = 3;
  std::string paths;
  std::size_t n = 0;
  for (const schema::SettingKey& each : schema::keys()) {
    if (folded(each.own_name()) != folded(key) || ++n > paths_shown_max) continue;
    paths.append(paths.empty() ? "" : ", ").append(schema::sample_path(each));
  }
  if (n == 0) return suggestion_for(key, siblings);
  return '"' + std::string{key} + "\" exists as " + paths + (n > paths_shown_max ? ", ..." : "");
}

hocon::Diagnostic at_key(hocon::Diagnostic finding, std::string_view key) {
  std::string& line = finding.snippet_line;
  if (line.empty() || finding.snippet_column == 0) return finding;
  const std::size_t value = base::utf8::offset_of(line, finding.snippet_column - 1);
  const std::size_t size =
      base::utf8::offset_of(std::string_view{line}.substr(value), finding.length);
  const bool is_bracket = size == 1 && (line[value] == '{' || line[value] == '[');
  if (!is_bracket) line.replace(value, size, "\u2026"), finding.length = 1;
  const std::size_t found = std::string_view{line}.substr(0, value).rfind(key);
  if (found == line.npos || key.empty()) return finding;
  const auto moved = static_cast<unsigned>(
      base::utf8::length(std::string_view{line}.substr(found, value - found)));
  finding.column -= moved;
  finding.snippet_column -= moved;
  finding.length = static_cast<unsigned>(base::utf8::length(key));
  return finding;
}

}  // namespace actord::settings
