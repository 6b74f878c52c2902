// SPDX-License-Identifier: Apache-2.0
#include "schema/behaviour_schema.hpp"

#include <nlohmann/json.hpp>

#include "message/message_type.hpp"
#include "schema/config_rules.hpp"
#include "schema/json_schema.hpp"
#include "schema/nullable.hpp"
#include "sdk/config_fields.hpp"

namespace actord::schema {

using message::view;
using sdk::ConfigField;

namespace {

using Json = nlohmann::ordered_json;

std::string_view inner(std::string_view type) {
  const std::size_t open = type.find_first_of("<{");
  return type.substr(open + 1, type.size() - open - 2);
}

bool is_optional(std::string_view type) { return type.starts_with("optional<"); }

void set_bound(Json& to, const char* keyword, const actord_bound& bound) {
  if (bound.kind == ACTORD_INT) to[keyword] = bound.value.i;
  if (bound.kind == ACTORD_UINT) to[keyword] = bound.value.u;
  if (bound.kind == ACTORD_DOUBLE) to[keyword] = bound.value.d;
}

class Description {
 public:
  explicit Description(ConfigRules rules) : rules_(rules) {}

  Json object(const std::vector<ConfigField>& fields, const std::string& prefix) const {
    Json out = {{"type", "object"}, {"properties", Json::object()}};
    Json needed = Json::array();
    for (const ConfigField& field : fields) {
      const std::string path = prefix + std::string{field.name};
      const bool is_needed = has_flag(rules_.find(path), ACTORD_REQUIRED);
      out["properties"][field.written()] =
          is_needed ? member(field.type, path) : member_or_null(field.type, path);
      if (is_needed) needed.push_back(field.written());
    }
    if (!needed.empty()) out["required"] = std::move(needed);
    out["additionalProperties"] = false;
    return out;
  }

 private:
  Json member(std::string_view type, const std::string& path) const {
    if (is_optional(type)) return nullable(member(inner(type), path));
    const actord_config_key* const rule = rules_.find(path);
    Json out = Json::object();
    if (rule != nullptr && rule->doc.size != 0) out["description"] = view(rule->doc);
    out.update(this->type(type, path, rule));
    if (rule == nullptr) return out;
    if (rule->n_words != 0) {
      out.erase("type");
      for (std::size_t i = 0; i < rule->n_words; ++i)
        out["enum"].push_back(ConfigField{view(rule->words[i]), {}}.written());
    }
    set_bound(out, "minimum", rule->least);
    set_bound(out, "maximum", rule->most);
    if (const std::string range = bounds_text(*rule); !range.empty()) out["x-range"] = range;
    if (has_flag(rule, ACTORD_SECRET)) out["writeOnly"] = true;
    if (const std::string what = resource_text(*rule); !what.empty()) out["x-resource"] = what;
    if (const std::string text = default_text(*rule); !text.empty()) {
      const Json json = Json::parse(text, nullptr, false);
      out["default"] = json.is_discarded() ? Json(text) : json;
    }
    return out;
  }

  /// The schema of a member that may also be null.
  Json member_or_null(std::string_view type, const std::string& path) const {
    Json out = member(type, path);
    return is_optional(type) ? out : nullable(std::move(out));
  }

  Json type(std::string_view type, const std::string& path, const actord_config_key* rule) const {
    if (type.starts_with("list<"))
      return {{"type", "array"}, {"items", member(inner(type), path + ".*")}};
    if (type.starts_with("map<"))
      return {{"type", "object"},
              {"additionalProperties", member_or_null(inner(type), path + ".*")}};
    if (type.starts_with('{')) return object(sdk::fields_of(inner(type)), path + '.');
    if (has_flag(rule, ACTORD_SIZE))
      return {{"type", {"integer", "string"}}, {"pattern", size_form}};
    return scalar(type);
  }

  static Json scalar(std::string_view type) {
    if (type == "bool") return {{"enum", {true, false, "on", "off", "yes", "no", "true", "false"}}};
    if (type.starts_with("uint")) return {{"type", "integer"}, {"minimum", 0}};
    if (type.starts_with("int")) return {{"type", "integer"}};
    if (type == "float" || type == "double") return {{"type", "number"}};
    if (type == "duration") return {{"type", {"string", "number"}}, {"pattern", duration_form}};
    if (type == "text" || type == "ref") return {{"type", {"string", "number", "boolean"}}};
    return Json::object();  // a type of a later version: anything is valid
  }

  ConfigRules rules_;
};

}  // namespace

std::string behaviour_schema(const actord_behaviour& behaviour, std::string_view name) {
  Json root = {{"$schema", json_schema_draft}, {"title", "Config of " + std::string{name}}};
  if (behaviour.doc.size != 0) root["description"] = view(behaviour.doc);
  root.update(Description(ConfigRules(behaviour))
                  .object(sdk::fields_of(behaviour.config, behaviour.n_config), ""));
  return root.dump(2) + '\n';
}

}  // namespace actord::schema
