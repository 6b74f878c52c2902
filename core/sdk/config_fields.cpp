// SPDX-License-Identifier: Apache-2.0
#include "sdk/config_fields.hpp"

#include <algorithm>
#include <iterator>

#include "message/message_type.hpp"

namespace actord::sdk {

std::string ConfigField::written() const {
  std::string text;
  std::ranges::replace_copy(name, std::back_inserter(text), '_', '-');
  return text;
}

std::vector<ConfigField> fields_of(const actord_member* members, std::size_t count) {
  std::vector<ConfigField> fields;
  for (std::size_t i = 0; i < count; ++i)
    fields.push_back({message::view(members[i].name), message::view(members[i].type)});
  return fields;
}

std::vector<ConfigField> fields_of(std::string_view type) {
  std::vector<ConfigField> fields;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= type.size(); ++i) {
    const char c = i < type.size() ? type[i] : ',';
    if (c == '{' || c == '<') ++depth;
    if (c == '}' || c == '>') --depth;
    if (c != ',' || depth != 0 || i == begin) continue;
    const std::string_view field = type.substr(begin, i - begin);
    const std::size_t colon = field.find(':');
    fields.push_back({field.substr(0, colon), colon == field.npos ? "" : field.substr(colon + 1)});
    begin = i + 1;
  }
  return fields;
}

}  // namespace actord::sdk
