// SPDX-License-Identifier: Apache-2.0
#include "schema/json_schema.hpp"

#include <nlohmann/json.hpp>

#include "hocon/units.hpp"
#include "schema/nullable.hpp"
#include "schema/schema.hpp"

namespace actord::schema {

namespace {

using Json = nlohmann::ordered_json;

void add_bounds(Json& to, const SettingKey& key) {
  if (key.min != SettingKey::no_min) to["minimum"] = key.min;
  if (key.max != SettingKey::no_max) to["maximum"] = key.max;
}

Json text_of(const SettingKey& key) {
  if (key.form.empty()) return {{"type", {"string", "number", "boolean"}}};
  return {{"type", "string"}, {"pattern", key.form}};
}

Json list_of(const SettingKey& key) {
  Json list = {{"type", "array"}, {"items", {{"type", "string"}}}};
  if (key.min > 0) list["minItems"] = key.min;
  return list;
}

// The definition of a section that other sections refer to: "#/$defs/user".
std::string reference_to(std::string_view path) {
  return "#/$defs/" + std::string{path.substr(path.rfind('.') + 1)};
}

bool is_liked(const SettingKey& key) {
  for (const SettingKey& each : keys()) {
    if (each.members_of == key.path) return true;
  }
  return false;
}

Json described(const SettingKey& key);

Json section_of(const SettingKey& key) {
  Json section = {{"type", "object"}};
  Json needed = Json::array();
  for (const SettingKey* const member : key.members) {
    if (member->own_name() == "*") continue;
    section["properties"][std::string{member->own_name()}] = described(*member);
    if (member->is_needed) needed.push_back(member->own_name());
  }
  if (!needed.empty()) section["required"] = std::move(needed);
  const SettingKey* const any = key.member("*");
  section["additionalProperties"] = any != nullptr ? described(*any) : Json(false);
  return section;
}

// The schema of the type, without the words.
Json type_of(const SettingKey& key) {
  Json type;
  switch (key.type) {
    case Type::boolean: return {{"enum", {true, false, "on", "off", "yes", "no", "true", "false"}}};
    case Type::integer: type = {{"type", "integer"}}; break;
    case Type::number: type = {{"type", "number"}}; break;
    case Type::duration: return {{"type", {"string", "number"}}, {"pattern", duration_form}};
    case Type::size: return {{"type", {"integer", "string"}}, {"pattern", size_form}};
    case Type::text: return text_of(key);
    case Type::path: return {{"type", "string"}, {"minLength", 1}};
    case Type::list: return list_of(key);
    case Type::object: return {{"type", "object"}};
    case Type::section:
    case Type::names: return section_of(key);
    case Type::word: return nullptr;
  }
  add_bounds(type, key);
  return type;
}

// The schema of all values that the key accepts.
Json taken_by(const SettingKey& key) {
  if (!key.members_of.empty() && key.words.empty()) return {{"$ref", reference_to(key.members_of)}};
  Json ways = Json::array();
  if (!key.words.empty()) ways.push_back({{"enum", key.words}});
  if (!key.form.empty() && key.type != Type::text) ways.push_back(text_of(key));
  if (!key.members_of.empty()) ways.push_back({{"$ref", reference_to(key.members_of)}});
  else if (Json type = type_of(key); !type.is_null()) ways.push_back(std::move(type));
  if (ways.size() == 1) return std::move(ways.front());
  return {{"anyOf", std::move(ways)}};
}

// The default as a JSON value.
Json default_of(const SettingKey& key) {
  if (key.type == Type::boolean) return *hocon::parse_bool(key.default_value);
  if (const auto whole = hocon::parse_integer(key.default_value)) return *whole;
  if (const auto number = hocon::parse_number(key.default_value)) return *number;
  return key.default_value;
}

Json described(const SettingKey& key) {
  Json out;
  if (!key.doc.empty()) out["description"] = key.doc;
  if (is_liked(key)) out["$ref"] = reference_to(key.path);
  else out.update(taken_by(key));
  if (!key.is_needed) out = nullable(std::move(out));
  if (!key.default_value.empty()) out["default"] = default_of(key);
  if (key.is_secret) out["writeOnly"] = true;
  if (key.members.empty() || !key.words.empty()) out["x-range"] = range_text(key);
  out["x-reload"] = name_of(key.reload);
  return out;
}

}  // namespace

std::string json_schema() {
  const Json anything = Json::object();
  Json root = {{"$schema", json_schema_draft},
               {"title", "Configuration of actord"},
               {"description",
                "The configuration as actorctl config render prints it. Generated from the schema "
                "of actord, as is config/reference.conf."},
               {"type", "object"}};
  root["properties"]["actord"] = described(keys().front());
  for (const char* name : {"vars", "app", "akka", "pekko"}) root["properties"][name] = anything;
  root["patternProperties"]["^x-"] = anything;
  root["additionalProperties"] = false;
  for (const SettingKey& key : keys()) {
    if (is_liked(key)) root["$defs"][std::string{key.own_name()}] = taken_by(key);
  }
  return root.dump(2) + '\n';
}

}  // namespace actord::schema
