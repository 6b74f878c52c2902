// SPDX-License-Identifier: Apache-2.0
#include "config/json_forms.hpp"

#include <algorithm>

#include "hocon/render.hpp"
#include "hocon/secrets.hpp"
#include "schema/setting_codes.hpp"
#include "settings/secret_values.hpp"
#include "wire/control_message.hpp"

namespace actord::config {

using wire::Json;

namespace {

void put(Json& json, const char* name, const std::string& text) {
  if (!text.empty()) json[name] = text;
}

/// The finding's code as a constant of this program; empty for codes that only a newer daemon
/// knows.
std::string_view code_in(const Json& json) {
  const std::string code = text_in(json, "code");
  for (const schema::CodeMeaning& known : schema::code_meanings()) {
    if (known.code == code) return known.code;
  }
  return {};
}

unsigned number_in(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number_unsigned() ? found->get<unsigned>() : 0;
}

}  // namespace

std::string text_in(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::int64_t integer_in(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

Json json_of(const hocon::Diagnostic& finding) {
  const char* const severity = finding.warning ? "warning" : "error";
  Json json = {{"severity", finding.remark ? "note" : severity}};
  put(json, "file", finding.file);
  if (finding.line != 0) {
    json["line"] = finding.line;
    json["column"] = finding.column;
    json["length"] = finding.length;
  }
  put(json, "code", std::string{finding.code});
  json["message"] = finding.message;
  put(json, "help", finding.help);
  put(json, "note", finding.note);
  put(json, "source", finding.snippet_line);
  if (finding.snippet_column != 0) json["source_column"] = finding.snippet_column;
  return json;
}

Json json_of(const hocon::Diagnostics& findings) {
  Json json = Json::array();
  for (const hocon::Diagnostic& finding : findings) json.push_back(json_of(finding));
  return json;
}

hocon::Diagnostics findings_of(const Json& json) {
  hocon::Diagnostics findings;
  for (const Json& each : json) {
    if (!each.is_object()) continue;
    hocon::Diagnostic finding;
    finding.remark = text_in(each, "severity") == "note";
    finding.warning = finding.remark || text_in(each, "severity") == "warning";
    finding.file = text_in(each, "file");
    finding.line = number_in(each, "line");
    finding.column = number_in(each, "column");
    finding.length = number_in(each, "length");
    finding.code = code_in(each);
    finding.message = text_in(each, "message");
    finding.help = text_in(each, "help");
    finding.note = text_in(each, "note");
    finding.snippet_line = text_in(each, "source");
    finding.snippet_column = number_in(each, "source_column");
    const std::size_t columns = finding.snippet_line.size();  // an upper bound
    if (finding.snippet_column > columns + 1) finding.snippet_column = 0;
    if (finding.snippet_column == 0) finding.snippet_line.clear();
    finding.length = static_cast<unsigned>(std::min<std::size_t>(finding.length, columns + 1));
    findings.push_back(std::move(finding));
  }
  return findings;
}

namespace {

std::size_t depth_of(const hocon::Value& value) {
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < value.size(); ++i)
    deepest = std::max(deepest, 1 + depth_of(value.at(i).value));
  return deepest;
}

/// The value as JSON, or its text if a JSON reader would not accept it: numbers beyond a double,
/// and lists nested deeper than a message may be.
Json json_of(const hocon::Value& value, const std::string& text) {
  constexpr std::size_t depth_of_answer = 8;
  if (depth_of(value) > wire::depth_max - depth_of_answer) return text;
  Json json = Json::parse(hocon::render_json(value, false), nullptr, false);
  return json.is_discarded() ? Json(text) : json;
}

}  // namespace

Json json_of(const EffectiveValue& value) {
  Json json = {{"key", value.key}};
  if (!value.value) json["value"] = value.text;
  else if (value.value.is_secret()) json["secret"] = true;
  else json["value"] = json_of(value.value, value.text);
  json["origin"] = value.origin;
  json["built_in"] = value.is_built_in;
  if (value.setting != nullptr) json["reload"] = schema::name_of(value.setting->reload);
  return json;
}

Json json_of(const ConfigDiff& diff) {
  Json changes = Json::array();
  for (const KeyChange& change : diff.changes) {
    Json json = {{"key", change.key}};
    put(json, "from", change.from);
    put(json, "from_origin", change.from_origin);
    put(json, "to", change.to);
    put(json, "to_origin", change.to_origin);
    json["reload"] = schema::name_of(change.reload);
    changes.push_back(std::move(json));
  }
  Json merges = Json::array();
  for (const Merge& merge : diff.merges) {
    merges.push_back({{"key", merge.key}, {"origin", merge.origin}, {"kept", merge.kept}});
  }
  return {{"changes", std::move(changes)}, {"merges", std::move(merges)}};
}

namespace {

// Recursion is bounded by wire::depth_max.
void hide(Json& json, const std::vector<std::string>& secrets) {
  if (json.is_structured()) {
    for (Json& each : json) hide(each, secrets);
    return;
  }
  if (!json.is_string() && !json.is_number()) return;
  const std::string text = json.is_string() ? json.get<std::string>() : json.dump();
  const bool has_secret = std::ranges::any_of(
      secrets, [&](const std::string& each) { return text.find(each) != text.npos; });
  if (has_secret) json = hocon::secret_word;
}

}  // namespace

Json without_secrets(Json arguments, const hocon::Tree& tree) {
  std::vector<std::string> secrets;
  for (const hocon::Value& value : settings::secrets_in(tree)) {
    if (const std::string_view text = value.text(); !text.empty()) secrets.emplace_back(text);
  }
  if (!secrets.empty()) hide(arguments, secrets);
  return arguments;
}

}  // namespace actord::config
