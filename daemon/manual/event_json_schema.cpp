// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "log/event_schema.hpp"
#include "manual/event_page.hpp"
#include "schema/json_schema.hpp"

namespace actord::manual {

using log::EventField;
using log::EventSchema;
using log::FieldKind;
using log::FieldSchema;

namespace {

using Json = nlohmann::ordered_json;

Json object() {
  return {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
}

Json type_of(const FieldSchema& field) {
  switch (field.kind) {
    case FieldKind::text: break;
    case FieldKind::texts: return {{"type", "array"}, {"items", {{"type", "string"}}}};
    case FieldKind::boolean: return {{"type", "boolean"}};
    case FieldKind::natural: return {{"type", "integer"}, {"minimum", 0}};
    case FieldKind::integer: return {{"type", "integer"}};
    case FieldKind::duration: return {{"type", "number"}};
    case FieldKind::anything: return {{"type", {"object", "array"}}};
  }
  if (field.words.empty()) return {{"type", "string"}};
  return {{"enum", field.words}};
}

Json described(const FieldSchema& field) {
  Json out = {{"description", field.doc}};
  out.update(type_of(field));
  return out;
}

// Whether other fields have the same key and mean something else.
bool is_ambiguous(const FieldSchema& field) {
  for (const EventSchema& event : log::event_schemas()) {
    for (const EventField& each : event.fields) {
      if (each.field->key == field.key && each.field != &field) return true;
    }
  }
  return false;
}

std::string definition_name(const FieldSchema& field) { return "field:" + std::string{field.key}; }

Json member_of(const FieldSchema& field) {
  if (is_ambiguous(field)) return described(field);
  return {{"$ref", "#/$defs/" + definition_name(field)}};
}

void require(Json& object, const std::string& name) {
  Json& required = object["required"];
  if (std::ranges::find(required, Json(name)) == required.end()) required.push_back(name);
}

// Adds the field to the object, and the objects and arrays that its key goes through.
void add_field(Json& object, std::string_view key, const FieldSchema& field, bool is_required) {
  const std::size_t dot = key.find('.');
  const std::string_view rest = dot == key.npos ? "" : key.substr(dot + 1);
  std::string name{key.substr(0, dot)};
  if (rest.empty() && field.kind == FieldKind::duration) name += "_ms";
  if (is_required) require(object, name);
  Json& member = object["properties"][name];
  if (rest.empty() || rest == "*") {
    member = member_of(field);
  } else if (rest.starts_with("N.")) {
    if (member.is_null()) member = {{"type", "array"}, {"items", manual::object()}};
    add_field(member["items"], rest.substr(2), field, true);
  } else {
    if (member.is_null()) member = manual::object();
    add_field(member, rest, field, is_required);
  }
}

// The schema of a line that has that field.
Json presence_of(std::string_view key) {
  const std::size_t dot = key.find('.');
  const std::string name{key.substr(0, dot)};
  Json out = {{"required", {name}}};
  if (dot != key.npos) out["properties"][name] = presence_of(key.substr(dot + 1));
  return out;
}

bool has_free_keys(const EventSchema& event) {
  return event.is_open || std::ranges::any_of(event.fields, [](const EventField& each) {
           return each.field->key.ends_with('*');
         });
}

Json event_of(const EventSchema& event) {
  Json out = {{"description", event.doc}, {"$ref", "#/$defs/own_line"}};
  out["properties"]["level"] = {{"enum", log::names_of(event.levels)}};
  if (!has_free_keys(event)) out["properties"]["fields"] = false;
  for (const EventField& each : event.fields)
    add_field(out, each.field->key, *each.field, each.is_required);
  if (event.is_open)
    for (auto& [name, member] : out["properties"].items()) member.erase("additionalProperties");
  else out["unevaluatedProperties"] = false;
  for (const FieldSchema* const field : event.one_of)
    out["oneOf"].push_back(presence_of(field->key));
  return out;
}

Json line() {
  Json out = {{"type", "object"}};
  for (const EventField& each : log::envelope_schema()) {
    const std::string name{each.field->key};
    out["properties"][name] = described(*each.field);
    if (each.is_required) out["required"].push_back(name);
  }
  out["properties"]["ts"]["pattern"] = R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$)";
  return out;
}

// A line of actord's own events, which may be one of a trace.
Json own_line() {
  Json out = {{"$ref", "#/$defs/line"}};
  for (const EventField& each : log::trace_schema())
    add_field(out, each.field->key, *each.field, each.is_required);
  // An event with more fields of such an object says which.
  for (auto& [name, member] : out["properties"].items()) member.erase("additionalProperties");
  return out;
}

Json if_event(Json condition, Json consequence) {
  return {{"if", {{"properties", {{"event", std::move(condition)}}}}},
          {"then", std::move(consequence)}};
}

// What holds for a complete line: the fields of its event, and no unknown event of actord.
Json by_event() {
  Json rules = Json::array(), names = Json::array();
  for (const EventSchema& event : log::event_schemas()) {
    const std::string reference = "#/$defs/event:" + std::string{event.name};
    rules.push_back(if_event({{"const", event.name}}, {{"$ref", reference}}));
    names.push_back(event.name);
  }
  std::string prefixes;
  for (std::string_view prefix : log::reserved_event_prefixes()) {
    prefix.remove_suffix(1);
    prefixes.append(prefixes.empty() ? "" : "|").append(prefix);
  }
  rules.push_back(if_event({{"pattern", "^(" + prefixes + R"()\.)"}},
                           {{"properties", {{"event", {{"enum", std::move(names)}}}}}}));
  return rules;
}

}  // namespace

std::string event_json_schema() {
  Json root = {
      {"$schema", schema::json_schema_draft},
      {"title", "A line of actord's log, " + std::string{log::schema_name}},
      {"description",
       "Generated from core/log/event_schema.cpp, as is core/log/events.md. Events with other "
       "names "
       "are those of plugins; they may have any fields. A truncated line may lack fields."},
      {"$ref", "#/$defs/line"},
      {"if", {{"properties", {{"truncated", {{"const", true}}}}}, {"required", {"truncated"}}}},
      {"else", {{"allOf", by_event()}}}};
  Json& definitions = root["$defs"];
  definitions["line"] = line();
  definitions["own_line"] = own_line();
  for (const EventSchema& event : log::event_schemas())
    definitions["event:" + std::string{event.name}] = event_of(event);
  for (const EventSchema& event : log::event_schemas()) {
    for (const EventField& each : event.fields) {
      if (!is_ambiguous(*each.field))
        definitions[definition_name(*each.field)] = described(*each.field);
    }
  }
  for (const EventField& each : log::trace_schema())
    definitions[definition_name(*each.field)] = described(*each.field);
  return root.dump(2) + '\n';
}

}  // namespace actord::manual
