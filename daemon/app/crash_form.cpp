// SPDX-License-Identifier: Apache-2.0
#include "app/crash_form.hpp"

#include <algorithm>

#include "config/json_forms.hpp"

namespace actord::app {

using config::text_in;
using wire::Json;

namespace {

constexpr int depth_max = 8;

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 32 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

/// Whether the member is absent, or of that type.
template <class Is>
bool may_be(const Json& json, const char* name, Is is) {
  const auto found = json.find(name);
  return found == json.end() || is(*found);
}

bool is_text(const Json& json) { return json.is_string(); }
bool is_flag(const Json& json) { return json.is_boolean(); }
bool is_natural(const Json& json) { return json.is_number_unsigned(); }
bool are_texts(const Json& json) { return json.is_array() && std::ranges::all_of(json, is_text); }

}  // namespace

Json read_json(std::string_view text) {
  const auto is_kept = [](int depth, Json::parse_event_t, Json&) { return depth < depth_max; };
  Json json = Json::parse(text, is_kept, false);
  return json.is_discarded() ? Json{} : json;
}

const Json& object_in(const Json& json, const char* name) {
  static const Json none = Json::object();
  const auto found = json.find(name);
  return found != json.end() && found->is_object() ? *found : none;
}

std::vector<std::string> texts_in(const Json& json, const char* name) {
  std::vector<std::string> texts;
  const auto found = json.find(name);
  if (found == json.end() || !found->is_array()) return texts;
  for (const Json& each : *found) texts.push_back(each.is_string() ? each.get<std::string>() : "");
  return texts;
}

std::string file_of_place(const std::string& place) { return place.substr(0, place.rfind("+0x")); }

bool is_crash_event(const Json& json) {
  const auto has_texts = [](std::initializer_list<const char*> names) {
    return [names](const Json& object) {
      return object.is_object() && std::ranges::all_of(names, [&](const char* name) {
               return may_be(object, name, is_text);
             });
    };
  };
  const bool has_end = !text_in(json, "signal").empty() || !text_in(json, "call").empty();
  return json.is_object() && has_end && is_id(text_in(json, "boot")) &&
         !text_in(json, "ts").empty() && json.contains("pid") && is_natural(json["pid"]) &&
         may_be(json, "address", is_text) && may_be(json, "stack", are_texts) &&
         may_be(json, "actor", has_texts({"path", "behaviour"})) &&
         may_be(object_in(json, "actor"), "incarnation", is_natural) &&
         may_be(json, "message", has_texts({"type"})) &&
         may_be(json, "plugin", has_texts({"name", "version", "file"}));
}

bool is_crash(const Json& json) {
  if (!is_crash_event(json)) return false;
  const Json& about = object_in(json, "crash");
  const auto all = [&](std::initializer_list<const char*> names, bool (*is)(const Json&)) {
    return std::ranges::all_of(names, [&](const char* name) { return may_be(about, name, is); });
  };
  return text_in(about, "id") == text_in(json, "boot") && all({"version", "charged"}, is_text) &&
         all({"places", "build_ids"}, are_texts) &&
         all({"is_own", "is_hang", "is_ending", "is_quarantined"}, is_flag) &&
         all({"wall_ns", "uptime_ns"}, is_natural);
}

}  // namespace actord::app
