// SPDX-License-Identifier: Apache-2.0
//
// An explanation as JSON: what actorctl prints and the daemon sends.
#include <utility>

#include "config/effective.hpp"
#include "config/explanation.hpp"
#include "config/json_forms.hpp"

namespace actord::config {

using wire::Json;

namespace {

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

Json json_of(const RunningValue& running) {
  Json json = {{"generation", running.generation}};
  if (running.since_generation != 0) {
    json["since_generation"] = running.since_generation;
    json["since"] = running.since;
  }
  json["is_pending"] = running.pending.has_value();
  if (running.pending) json["pending"] = json_of(*running.pending);
  return json;
}

std::uint64_t member_number(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

const Json& member_of(const Json& json, const char* name) {
  static const Json none;
  const auto found = json.find(name);
  return found != json.end() ? *found : none;
}

std::optional<Written> written_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  return Written{text_in(json, "origin"), text_in(json, "text")};
}

std::vector<Written> all_written(const Json& json) {
  std::vector<Written> all;
  if (!json.is_array()) return all;
  for (const Json& each : json) {
    if (auto written = written_of(each)) all.push_back(std::move(*written));
  }
  return all;
}

std::vector<std::string> texts_of(const Json& json) {
  std::vector<std::string> texts;
  if (!json.is_array()) return texts;
  for (const Json& each : json) {
    if (each.is_string()) texts.push_back(each.get<std::string>());
  }
  return texts;
}

/// The texts that are members of the same name, left out if they are empty.
template <class Explained>
auto text_members(Explained& it) {
  return std::to_array<std::pair<const char*, decltype(&it.remark)>>(
      {{"remark", &it.remark},
       {"type", &it.type},
       {"range", &it.range},
       {"default", &it.default_value},
       {"reload", &it.reload},
       {"doc", &it.doc},
       {"environment", &it.environment}});
}

}  // namespace

Json json_of(const Explanation& it) {
  Json json = {{"key", it.key}, {"set", it.from.has_value() && it.from->origin != built_in}};
  if (it.value) json["value"] = *it.value;
  if (it.is_secret) json["secret"] = true;
  for (const auto& [name, text] : text_members(it)) {
    if (!text->empty()) json[name] = *text;
  }
  if (it.from) json["from"] = json_of(*it.from);
  json["via"] = json_of(it.via);
  json["overrides"] = json_of(it.overrides);
  if (!it.members.empty()) json["members"] = it.members;
  if (!it.failures.empty()) json["failures"] = it.failures;
  if (it.running) json["running"] = json_of(*it.running);
  return json;
}

Explanation explanation_of(const Json& json) {
  Explanation it;
  it.key = text_in(json, "key");
  if (json.contains("value")) it.value = text_in(json, "value");
  it.is_secret = member_of(json, "secret") == true;
  for (const auto& [name, text] : text_members(it)) *text = text_in(json, name);
  it.from = written_of(member_of(json, "from"));
  it.via = all_written(member_of(json, "via"));
  it.overrides = all_written(member_of(json, "overrides"));
  it.members = texts_of(member_of(json, "members"));
  it.failures = texts_of(member_of(json, "failures"));
  if (const Json& running = member_of(json, "running"); running.is_object()) {
    it.running = RunningValue{member_number(running, "generation"),
                              member_number(running, "since_generation"), text_in(running, "since"),
                              written_of(member_of(running, "pending"))};
  }
  return it;
}

}  // namespace actord::config
