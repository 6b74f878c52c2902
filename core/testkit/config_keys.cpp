// SPDX-License-Identifier: Apache-2.0
#include "testkit/config_keys.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "message/message_type.hpp"
#include "sdk/config_value.hpp"

namespace actord::testkit {

using hocon::Value;
using message::view;

namespace {

struct Field {
  std::string_view name, type;
};

/// Of a struct's type as plugin.h spells it, without its braces: "name:T,name:T".
std::vector<Field> fields_of(std::string_view text) {
  std::vector<Field> fields;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '{' || c == '<') ++depth;
    if (c == '}' || c == '>') --depth;
    if (c != ',' || depth != 0 || i == begin) continue;
    const std::string_view field = text.substr(begin, i - begin);
    const std::size_t colon = std::min(field.find(':'), field.size() - 1);
    fields.push_back({field.substr(0, colon), field.substr(colon + 1)});
    begin = i + 1;
  }
  return fields;
}

class Search {
 public:
  void in_object(const Value& object, const std::vector<Field>& fields) {
    for (std::size_t i = 0; i < object.size(); ++i) {
      const hocon::Member member = object.at(i);
      const auto known = std::ranges::find_if(
          fields, [&](const Field& field) { return sdk::is_same_key(member.key, field.name); });
      if (known != fields.end()) in_value(member.value, known->type);
      else refuse(member.value, fields);
    }
  }

  hocon::Diagnostics found;

 private:
  /// What else the value may be is not looked at.
  void in_value(const Value& value, std::string_view type) {
    const std::size_t open = type.find_first_of("<{");
    if (open == type.npos || type.size() < open + 2) return;
    const std::string_view inner = type.substr(open + 1, type.size() - open - 2);
    if (type[open] == '{') {
      if (value.is_object()) in_object(value, fields_of(inner));
    } else if (type.starts_with("optional")) {
      in_value(value, inner);
    } else if (value.is_object() || value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) in_value(value.at(i).value, inner);
    }
  }

  void refuse(const Value& value, const std::vector<Field>& fields) {
    std::string names;
    for (const Field& field : fields) {
      names += names.empty() ? "known here: " : ", ";
      // As one writes them: with hyphens.
      std::ranges::replace_copy(field.name, std::back_inserter(names), '_', '-');
    }
    found.push_back(value.reject("unknown key \"" + value.path() + '"', names));
  }
};

}  // namespace

hocon::Diagnostics unknown_keys(const Value& config, const actord_behaviour& behaviour,
                                std::string_view name) {
  if (behaviour.n_config == 0) {
    if (config.size() == 0) return {};
    return {config.reject(std::string{name} + " takes no config", "leave it out")};
  }
  std::vector<Field> fields;
  for (std::size_t i = 0; i < behaviour.n_config; ++i)
    fields.push_back({view(behaviour.config[i].name), view(behaviour.config[i].type)});
  Search search;
  search.in_object(config, fields);
  return std::move(search.found);
}

}  // namespace actord::testkit
