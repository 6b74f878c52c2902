// SPDX-License-Identifier: Apache-2.0
#include "schema/nullable.hpp"

#include <nlohmann/json.hpp>

namespace actord::schema {

nlohmann::ordered_json nullable(nlohmann::ordered_json described) {
  using Json = nlohmann::ordered_json;
  const Json null = {{"type", "null"}};
  if (const auto ways = described.find("anyOf"); ways != described.end()) {
    ways->push_back(null);
  } else if (const auto reference = described.find("$ref"); reference != described.end()) {
    described["anyOf"] = {{{"$ref", *reference}}, null};
    described.erase("$ref");
  } else if (const auto words = described.find("enum"); words != described.end()) {
    words->push_back(nullptr);
  } else if (const auto type = described.find("type"); type != described.end()) {
    if (type->is_array()) type->push_back("null");
    else *type = {*type, "null"};
  }
  return described;
}

}  // namespace actord::schema
