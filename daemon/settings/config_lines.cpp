// SPDX-License-Identifier: Apache-2.0
#include "settings/config_lines.hpp"

#include <set>
#include <utility>

namespace actord::settings {

namespace {

using Lines = std::set<std::pair<std::string, unsigned>>;  // file and line

void note_leaves(const hocon::Value& value, Lines& lines) {
  for (std::size_t i = 0; i < value.size(); ++i) note_leaves(value.at(i).value, lines);
  if (value.size() != 0) return;
  lines.emplace(std::string{value.file()}, value.origin().line);
}

void note_config(const hocon::Value& actor, Lines& lines) {
  if (const hocon::Value config = actor.member("config")) note_leaves(config, lines);
}

void note_configs(const hocon::Value& actors, Lines& lines) {
  if (!actors || !actors.is_object()) return;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const hocon::Value actor = actors.at(i).value;
    note_config(actor, lines);
    note_configs(actor.member("children"), lines);
  }
}

void hide(hocon::Diagnostics& findings, const Lines& lines) {
  for (hocon::Diagnostic& finding : findings) {
    if (lines.contains({finding.file, finding.line})) finding.snippet_line.clear();
  }
}

}  // namespace

void hide_config_lines(hocon::Diagnostics& findings, const hocon::Tree& tree) {
  Lines lines;
  note_configs(tree.find("actord.user"), lines);
  hide(findings, lines);
}

void hide_config_lines(hocon::Diagnostics& findings, const hocon::Value& actor) {
  Lines lines;
  note_config(actor, lines);
  hide(findings, lines);
}

}  // namespace actord::settings
