// SPDX-License-Identifier: Apache-2.0
#include "testkit/config_keys.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "sdk/config_fields.hpp"
#include "sdk/config_value.hpp"

namespace actord::testkit {

using hocon::Value;
using sdk::ConfigField;

namespace {

class Search {
 public:
  void in_object(const Value& object, const std::vector<ConfigField>& fields) {
    for (std::size_t i = 0; i < object.size(); ++i) {
      const hocon::Member member = object.at(i);
      const auto known = std::ranges::find_if(fields, [&](const ConfigField& field) {
        return sdk::is_same_key(member.key, field.name);
      });
      if (known != fields.end()) in_value(member.value, known->type);
      else add_unknown_key(member.value, fields);
    }
  }

  hocon::Diagnostics found;

 private:
  /// Looks into structs, optionals, lists and maps. Values of other types have no keys to check.
  void in_value(const Value& value, std::string_view type) {
    const std::size_t open = type.find_first_of("<{");
    if (open == type.npos || type.size() < open + 2) return;
    const std::string_view inner = type.substr(open + 1, type.size() - open - 2);
    if (type[open] == '{') {
      if (value.is_object()) in_object(value, sdk::fields_of(inner));
    } else if (type.starts_with("optional")) {
      in_value(value, inner);
    } else if (value.is_object() || value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) in_value(value.at(i).value, inner);
    }
  }

  void add_unknown_key(const Value& value, const std::vector<ConfigField>& fields) {
    std::string names;
    for (const ConfigField& field : fields)
      names.append(names.empty() ? "known here: " : ", ").append(field.written());
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
  Search search;
  search.in_object(config, sdk::fields_of(behaviour.config, behaviour.n_config));
  return std::move(search.found);
}

}  // namespace actord::testkit
