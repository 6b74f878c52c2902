// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "base/suggestion.hpp"
#include "config/effective.hpp"
#include "ctl/configuration_choice.hpp"
#include "ctl/explanation.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "wire/control_message.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t doc_columns = 76;
constexpr std::size_t value_columns = 48;

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::size_t widest(const std::vector<Written>& all, std::string Written::*column) {
  std::size_t width = 0;
  for (const Written& each : all) width = std::max(width, (each.*column).size());
  return width;
}

/// Breaks a paragraph into lines that are indented by two blanks.
std::string wrapped(std::string_view text) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column != 0 && column + 1 + word.size() > doc_columns) out += '\n', column = 0;
    out.append(column == 0 ? "  " : " ").append(word);
    column += word.size() + 1;
  }
  return out.empty() ? out : out + '\n';
}

std::string first_line(const Explanation& it) {
  std::string line = it.key;
  if (it.value) line += " = " + *it.value;
  std::string what = it.type;
  if (!it.range.empty() && it.range != it.type) what += (what.empty() ? "" : ", ") + it.range;
  if (!it.reload.empty()) what += (what.empty() ? "" : ", ") + std::string{"reload: "} + it.reload;
  if (what.empty()) return line;
  if (line.size() < value_columns) line.resize(value_columns, ' ');
  else line.append("\n  ");
  return line.append(what);
}

void print_names(std::ostream& out, std::string_view title, const std::vector<std::string>& all) {
  if (all.empty()) return;
  const std::vector<std::string_view> names(all.begin(), all.end());
  out << "  " << title << '\n' << wrapped(base::joined(names));
}

void print_text(const Call& call, const Explanation& it) {
  std::ostream& out = call.out;
  out << first_line(it) << '\n';
  if (!it.remark.empty()) out << "  " << it.remark << '\n';
  std::vector<Written> origins = it.via;
  if (it.from) origins.insert(origins.begin(), *it.from);
  const std::size_t width = widest(origins, &Written::origin) + 2;
  if (it.from) {
    out << "  from  " << (it.from->text.empty() ? it.from->origin : padded(it.from->origin, width))
        << "  " << it.from->text << '\n';
  }
  for (const Written& step : it.via)
    out << "    via " << padded(step.origin, width) << "  " << step.text << '\n';
  if (!it.overrides.empty()) out << "  overrides\n";
  const std::size_t texts = widest(it.overrides, &Written::text) + 2;
  for (const Written& hidden : it.overrides)
    out << "    " << padded(hidden.text, texts) << hidden.origin << '\n';
  if (!it.environment.empty()) out << "  not set: environment " << it.environment << '\n';
  print_names(out, "keys", it.members);
  print_names(out, "known failures", it.failures);
  out << wrapped(it.doc);
}

Json json_of(const Written& written) {
  Json json = {{"origin", written.origin}};
  if (!written.text.empty()) json["text"] = written.text;
  return json;
}

Json json_of(const std::vector<Written>& all) {
  Json json = Json::array();
  for (const Written& each : all) json.push_back(json_of(each));
  return json;
}

Json json_of(const Explanation& it) {
  Json json = {{"key", it.key},
               {"set", it.from.has_value() && it.from->origin != config::built_in}};
  if (it.value) json["value"] = *it.value;
  if (it.is_secret) json["secret"] = true;
  const std::pair<const char*, const std::string&> texts[] = {
      {"remark", it.remark}, {"type", it.type}, {"range", it.range},
      {"reload", it.reload}, {"doc", it.doc},   {"environment", it.environment}};
  for (const auto& [name, text] : texts) {
    if (!text.empty()) json[name] = text;
  }
  if (it.from) json["from"] = json_of(*it.from);
  json["via"] = json_of(it.via);
  json["overrides"] = json_of(it.overrides);
  if (!it.members.empty()) json["members"] = it.members;
  if (!it.failures.empty()) json["failures"] = it.failures;
  return json;
}

Exit explain_key(const Call& call) {
  Exit exit = Exit::ok;
  const auto draft =
      read_draft_to_show(call, exit, {call.operands.begin() + 1, call.operands.end()});
  if (!draft) return exit;
  const auto found = explain(draft->configuration, call.operands.front());
  if (!found) {
    return report_failure(call,
                          {Exit::differs, found.error().what, found.error().help, draft->errors});
  }
  if (!call.is_json()) print_text(call, *found);
  return conclude(call, json_of(*found), draft->errors);
}

}  // namespace

Verb explain_verb() {
  Verb verb{
      .group = "config",
      .name = "explain",
      .summary = "explain one key: its value, and where the value comes from",
      .description =
          "Prints the value of KEY, its range, the effect of a reload, where the value\n"
          "was written, what that refers to, and what it overrides. For a key that\n"
          "is not set, explains the default. The exit status is 1 if there is no such\n"
          "key, and 78 if the configuration has errors. It then prints the errors, too;\n"
          "values that could not be read because of them may be secret and are not\n"
          "shown. Errors that only plugins find are reported by check.\n"
          "\n"
          "  actorctl config explain actord.log.level\n"
          "  actorctl config explain 'actord.user.crawler.supervisor-strategy.decider'",
      .operands = {{.name = "KEY", .takes = Takes::key},
                   {.name = "FILE", .takes = Takes::file, .is_needed = false, .repeats = true}},
      .options = configuration_options(),
      .run = &explain_key};
  verb.options.push_back(output_option());
  return verb;
}

}  // namespace actord::ctl
